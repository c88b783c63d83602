-- A study as Pyramidion 0.1 wrote it (tables of version 0003), dumped with sqlite3.Connection.iterdump.
-- Texts and annotations were made for this test; scores are those of version 0.1.
PRAGMA application_id=1348031044;
BEGIN TRANSACTION;
CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL, CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num));
INSERT INTO "alembic_version" VALUES('0003');
CREATE TABLE annotators (
	id VARCHAR(32) NOT NULL, 
	name TEXT NOT NULL, 
	"group" TEXT NOT NULL, 
	CONSTRAINT pk_annotators PRIMARY KEY (id), 
	CONSTRAINT uq_annotators_name UNIQUE (name)
);
INSERT INTO "annotators" VALUES('7698def2dbab429db9d733d53aa6eb39','Ann','g1');
INSERT INTO "annotators" VALUES('46ff3ab3588046f48b204d07cba94dff','Ben','');
CREATE TABLE contributor_parts (
	id VARCHAR(32) NOT NULL, 
	contributor_id VARCHAR(32) NOT NULL, 
	start INTEGER NOT NULL, 
	"end" INTEGER NOT NULL, 
	position DOUBLE NOT NULL, 
	version INTEGER NOT NULL, 
	is_deleted BOOLEAN NOT NULL, 
	edit_id VARCHAR(32), 
	CONSTRAINT pk_contributor_parts PRIMARY KEY (id), 
	CONSTRAINT ck_contributor_parts_span CHECK (start >= 0 AND "end" > start), 
	CONSTRAINT fk_contributor_parts_contributor_id_contributors FOREIGN KEY(contributor_id) REFERENCES contributors (id), 
	CONSTRAINT fk_contributor_parts_edit_id_edits FOREIGN KEY(edit_id) REFERENCES edits (id)
);
INSERT INTO "contributor_parts" VALUES('fe0d5f98b700479283ef96dece6351d2','922e39db64a148248942090cc8519d06',25,41,1.0,1,0,'3cc99f1e7e154f2d8f049692fd6ed155');
INSERT INTO "contributor_parts" VALUES('d2724a3ffcf34756b3d63c2871a82722','81de4670933542cd898c114315686ae4',0,11,1.0,1,0,'19c212a981184f0da9b8b866381d0ba7');
INSERT INTO "contributor_parts" VALUES('bef4922fe1bd4605b5acea6695de46c4','81de4670933542cd898c114315686ae4',17,23,2.0,1,0,'19c212a981184f0da9b8b866381d0ba7');
INSERT INTO "contributor_parts" VALUES('130feb4c535c49e1a4e4f88ed04d25fc','69381ea05b594a7f873536609b51a811',0,13,1.0,1,0,'bc6dfc3cf5464a178c1df84eb555b192');
INSERT INTO "contributor_parts" VALUES('a30890d169214351a27492d62088cd9a','d681ce6690944ffa93d8c66d56e1adce',14,23,1.0,1,0,'7672fbac48204dbb9c212797144515dd');
CREATE TABLE contributors (
	id VARCHAR(32) NOT NULL, 
	scu_id VARCHAR(32) NOT NULL, 
	reference_id VARCHAR(32) NOT NULL, 
	comment TEXT NOT NULL, 
	position DOUBLE NOT NULL, 
	version INTEGER NOT NULL, 
	is_deleted BOOLEAN NOT NULL, 
	edit_id VARCHAR(32), 
	CONSTRAINT pk_contributors PRIMARY KEY (id), 
	CONSTRAINT fk_contributors_scu_id_scus FOREIGN KEY(scu_id) REFERENCES scus (id), 
	CONSTRAINT fk_contributors_reference_id_references FOREIGN KEY(reference_id) REFERENCES "references" (id), 
	CONSTRAINT fk_contributors_edit_id_edits FOREIGN KEY(edit_id) REFERENCES edits (id)
);
INSERT INTO "contributors" VALUES('922e39db64a148248942090cc8519d06','6edf56bc281d4a1c917d29949212c681','f940b7a459004d52ac157e9e2a04c100','',1.0,1,0,'3cc99f1e7e154f2d8f049692fd6ed155');
INSERT INTO "contributors" VALUES('81de4670933542cd898c114315686ae4','6edf56bc281d4a1c917d29949212c681','dec6813e26c345389a4b60b11641eca7','',2.0,1,0,'19c212a981184f0da9b8b866381d0ba7');
INSERT INTO "contributors" VALUES('69381ea05b594a7f873536609b51a811','f80984eb24b34dda84188f58af3f3fe4','f940b7a459004d52ac157e9e2a04c100','',1.0,1,0,'bc6dfc3cf5464a178c1df84eb555b192');
INSERT INTO "contributors" VALUES('d681ce6690944ffa93d8c66d56e1adce','72bd999974264a9bbceeff88fee0e8f8','f940b7a459004d52ac157e9e2a04c100','',1.0,1,0,'7672fbac48204dbb9c212797144515dd');
CREATE TABLE dimensions (
	id VARCHAR(32) NOT NULL, 
	name TEXT NOT NULL, 
	low DOUBLE NOT NULL, 
	high DOUBLE NOT NULL, 
	guideline TEXT NOT NULL, 
	CONSTRAINT pk_dimensions PRIMARY KEY (id), 
	CONSTRAINT uq_dimensions_name UNIQUE (name)
);
INSERT INTO "dimensions" VALUES('01360e42a3674a9186368a5c37cf2b07','coherence',1.0,5.0,'');
INSERT INTO "dimensions" VALUES('c0362dce2e174e5c84d0401deff25120','fluency',0.0,100.0,'');
CREATE TABLE documents (
	id VARCHAR(32) NOT NULL, 
	topic_id VARCHAR(32) NOT NULL, 
	name TEXT NOT NULL, 
	position INTEGER NOT NULL, 
	content TEXT NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	sentence_spans TEXT, 
	external_id TEXT NOT NULL, 
	CONSTRAINT pk_documents PRIMARY KEY (id), 
	CONSTRAINT uq_documents_topic_id_name UNIQUE (topic_id, name), 
	CONSTRAINT fk_documents_topic_id_topics FOREIGN KEY(topic_id) REFERENCES topics (id)
);
INSERT INTO "documents" VALUES('95553e9314cb4eb8835dbf3555f60e1d','0579d10012b84482a0f8ccf1c3748e1f','d1',0,'The dam burst on Monday after days of rain. Nine people died.','6a941d80bb5a027f68632f168c22ac34ce2b8a812c590516aefd107eeed75aa5',NULL,'');
CREATE TABLE edits (
	number INTEGER NOT NULL, 
	id VARCHAR(32) NOT NULL, 
	annotator_id VARCHAR(32), 
	topic_id VARCHAR(32), 
	verb TEXT NOT NULL, 
	at VARCHAR(32) NOT NULL, 
	active_seconds DOUBLE NOT NULL, 
	follows INTEGER NOT NULL, 
	undone_at VARCHAR(32), 
	delta TEXT, 
	details TEXT, 
	CONSTRAINT pk_edits PRIMARY KEY (number), 
	CONSTRAINT uq_edits_id UNIQUE (id), 
	CONSTRAINT fk_edits_annotator_id_annotators FOREIGN KEY(annotator_id) REFERENCES annotators (id), 
	CONSTRAINT fk_edits_topic_id_topics FOREIGN KEY(topic_id) REFERENCES topics (id)
);
INSERT INTO "edits" VALUES(1,'d8d9414edb0b407db0061ea9a4b74622',NULL,NULL,'set name','2026-11-23T01:25:08.198656+00:00',0.0,0,NULL,'[{"table":"settings","before":{"id":"name","value":"Study of version 0.1","version":0,"is_deleted":true,"edit_id":null},"after":{"id":"name","value":"Study of version 0.1","version":1,"is_deleted":false,"edit_id":"d8d9414edb0b407db0061ea9a4b74622"}}]',NULL);
INSERT INTO "edits" VALUES(2,'5aa6e288438e46299cdaf98d564d6c46',NULL,NULL,'import','2026-11-23T01:25:08.451017+00:00',0.0,1,NULL,NULL,NULL);
INSERT INTO "edits" VALUES(3,'3cc99f1e7e154f2d8f049692fd6ed155','7698def2dbab429db9d733d53aa6eb39','0579d10012b84482a0f8ccf1c3748e1f','new SCU','2026-11-23T01:25:08.499569+00:00',2.5,0,NULL,'[{"table":"scus","before":{"id":"6edf56bc281d4a1c917d29949212c681","pyramid_id":"7757e954922d11439e9387e589688ad4","label":"Nine people died","comment":"","position":1.0,"version":0,"is_deleted":true,"edit_id":null},"after":{"id":"6edf56bc281d4a1c917d29949212c681","pyramid_id":"7757e954922d11439e9387e589688ad4","label":"Nine people died","comment":"","position":1.0,"version":1,"is_deleted":false,"edit_id":"3cc99f1e7e154f2d8f049692fd6ed155"}},{"table":"contributors","before":{"id":"922e39db64a148248942090cc8519d06","scu_id":"6edf56bc281d4a1c917d29949212c681","reference_id":"f940b7a459004d52ac157e9e2a04c100","comment":"","position":1.0,"version":0,"is_deleted":true,"edit_id":null},"after":{"id":"922e39db64a148248942090cc8519d06","scu_id":"6edf56bc281d4a1c917d29949212c681","reference_id":"f940b7a459004d52ac157e9e2a04c100","comment":"","position":1.0,"version":1,"is_deleted":false,"edit_id":"3cc99f1e7e154f2d8f049692fd6ed155"}},{"table":"contributor_parts","before":{"id":"fe0d5f98b700479283ef96dece6351d2","contributor_id":"922e39db64a148248942090cc8519d06","start":25,"end":41,"position":1.0,"version":0,"is_deleted":true,"edit_id":null},"after":{"id":"fe0d5f98b700479283ef96dece6351d2","contributor_id":"922e39db64a148248942090cc8519d06","start":25,"end":41,"position":1.0,"version":1,"is_deleted":false,"edit_id":"3cc99f1e7e154f2d8f049692fd6ed155"}}]',NULL);
INSERT INTO "edits" VALUES(4,'19c212a981184f0da9b8b866381d0ba7','7698def2dbab429db9d733d53aa6eb39','0579d10012b84482a0f8ccf1c3748e1f','add contributor','2026-11-23T01:25:08.535443+00:00',2.5,3,NULL,'[{"table":"contributors","before":{"id":"81de4670933542cd898c114315686ae4","scu_id":"6edf56bc281d4a1c917d29949212c681","reference_id":"dec6813e26c345389a4b60b11641eca7","comment":"","position":2.0,"version":0,"is_deleted":true,"edit_id":null},"after":{"id":"81de4670933542cd898c114315686ae4","scu_id":"6edf56bc281d4a1c917d29949212c681","reference_id":"dec6813e26c345389a4b60b11641eca7","comment":"","position":2.0,"version":1,"is_deleted":false,"edit_id":"19c212a981184f0da9b8b866381d0ba7"}},{"table":"contributor_parts","before":{"id":"d2724a3ffcf34756b3d63c2871a82722","contributor_id":"81de4670933542cd898c114315686ae4","start":0,"end":11,"position":1.0,"version":0,"is_deleted":true,"edit_id":null},"after":{"id":"d2724a3ffcf34756b3d63c2871a82722","contributor_id":"81de4670933542cd898c114315686ae4","start":0,"end":11,"position":1.0,"version":1,"is_deleted":false,"edit_id":"19c212a981184f0da9b8b866381d0ba7"}},{"table":"contributor_parts","before":{"id":"bef4922fe1bd4605b5acea6695de46c4","contributor_id":"81de4670933542cd898c114315686ae4","start":17,"end":23,"position":2.0,"version":0,"is_deleted":true,"edit_id":null},"after":{"id":"bef4922fe1bd4605b5acea6695de46c4","contributor_id":"81de4670933542cd898c114315686ae4","start":17,"end":23,"position":2.0,"version":1,"is_deleted":false,"edit_id":"19c212a981184f0da9b8b866381d0ba7"}}]',NULL);
INSERT INTO "edits" VALUES(5,'bc6dfc3cf5464a178c1df84eb555b192','7698def2dbab429db9d733d53aa6eb39','0579d10012b84482a0f8ccf1c3748e1f','new SCU','2026-11-23T01:25:08.550121+00:00',2.5,4,NULL,'[{"table":"scus","before":{"id":"f80984eb24b34dda84188f58af3f3fe4","pyramid_id":"7757e954922d11439e9387e589688ad4","label":"The dam burst","comment":"","position":2.0,"version":0,"is_deleted":true,"edit_id":null},"after":{"id":"f80984eb24b34dda84188f58af3f3fe4","pyramid_id":"7757e954922d11439e9387e589688ad4","label":"The dam burst","comment":"","position":2.0,"version":1,"is_deleted":false,"edit_id":"bc6dfc3cf5464a178c1df84eb555b192"}},{"table":"contributors","before":{"id":"69381ea05b594a7f873536609b51a811","scu_id":"f80984eb24b34dda84188f58af3f3fe4","reference_id":"f940b7a459004d52ac157e9e2a04c100","comment":"","position":1.0,"version":0,"is_deleted":true,"edit_id":null},"after":{"id":"69381ea05b594a7f873536609b51a811","scu_id":"f80984eb24b34dda84188f58af3f3fe4","reference_id":"f940b7a459004d52ac157e9e2a04c100","comment":"","position":1.0,"version":1,"is_deleted":false,"edit_id":"bc6dfc3cf5464a178c1df84eb555b192"}},{"table":"contributor_parts","before":{"id":"130feb4c535c49e1a4e4f88ed04d25fc","contributor_id":"69381ea05b594a7f873536609b51a811","start":0,"end":13,"position":1.0,"version":0,"is_deleted":true,"edit_id":null},"after":{"id":"130feb4c535c49e1a4e4f88ed04d25fc","contributor_id":"69381ea05b594a7f873536609b51a811","start":0,"end":13,"position":1.0,"version":1,"is_deleted":false,"edit_id":"bc6dfc3cf5464a178c1df84eb555b192"}}]',NULL);
INSERT INTO "edits" VALUES(6,'7672fbac48204dbb9c212797144515dd','7698def2dbab429db9d733d53aa6eb39','0579d10012b84482a0f8ccf1c3748e1f','new SCU','2026-11-23T01:25:08.563976+00:00',2.5,5,NULL,'[{"table":"scus","before":{"id":"72bd999974264a9bbceeff88fee0e8f8","pyramid_id":"7757e954922d11439e9387e589688ad4","label":"On Monday","comment":"","position":3.0,"version":0,"is_deleted":true,"edit_id":null},"after":{"id":"72bd999974264a9bbceeff88fee0e8f8","pyramid_id":"7757e954922d11439e9387e589688ad4","label":"On Monday","comment":"","position":3.0,"version":1,"is_deleted":false,"edit_id":"7672fbac48204dbb9c212797144515dd"}},{"table":"contributors","before":{"id":"d681ce6690944ffa93d8c66d56e1adce","scu_id":"72bd999974264a9bbceeff88fee0e8f8","reference_id":"f940b7a459004d52ac157e9e2a04c100","comment":"","position":1.0,"version":0,"is_deleted":true,"edit_id":null},"after":{"id":"d681ce6690944ffa93d8c66d56e1adce","scu_id":"72bd999974264a9bbceeff88fee0e8f8","reference_id":"f940b7a459004d52ac157e9e2a04c100","comment":"","position":1.0,"version":1,"is_deleted":false,"edit_id":"7672fbac48204dbb9c212797144515dd"}},{"table":"contributor_parts","before":{"id":"a30890d169214351a27492d62088cd9a","contributor_id":"d681ce6690944ffa93d8c66d56e1adce","start":14,"end":23,"position":1.0,"version":0,"is_deleted":true,"edit_id":null},"after":{"id":"a30890d169214351a27492d62088cd9a","contributor_id":"d681ce6690944ffa93d8c66d56e1adce","start":14,"end":23,"position":1.0,"version":1,"is_deleted":false,"edit_id":"7672fbac48204dbb9c212797144515dd"}}]',NULL);
INSERT INTO "edits" VALUES(7,'5ac4b8032c5241788afa59d766900d49','7698def2dbab429db9d733d53aa6eb39','0579d10012b84482a0f8ccf1c3748e1f','comment','2026-11-23T01:25:08.573508+00:00',2.5,6,NULL,'[{"table":"scus","before":{"id":"6edf56bc281d4a1c917d29949212c681","pyramid_id":"7757e954922d11439e9387e589688ad4","label":"Nine people died","comment":"","position":1.0,"version":1,"is_deleted":false,"edit_id":"3cc99f1e7e154f2d8f049692fd6ed155"},"after":{"id":"6edf56bc281d4a1c917d29949212c681","pyramid_id":"7757e954922d11439e9387e589688ad4","label":"Nine people died","comment":"Number is certain.","position":1.0,"version":2,"is_deleted":false,"edit_id":"5ac4b8032c5241788afa59d766900d49"}}]',NULL);
INSERT INTO "edits" VALUES(8,'739f85ec2b264ea1a08cd1b5334e6176','7698def2dbab429db9d733d53aa6eb39','0579d10012b84482a0f8ccf1c3748e1f','remove SCU','2026-11-23T01:25:08.581632+00:00',2.5,7,'2026-11-23T01:25:08.586776+00:00','[{"table":"scus","before":{"id":"72bd999974264a9bbceeff88fee0e8f8","pyramid_id":"7757e954922d11439e9387e589688ad4","label":"On Monday","comment":"","position":3.0,"version":1,"is_deleted":false,"edit_id":"7672fbac48204dbb9c212797144515dd"},"after":{"id":"72bd999974264a9bbceeff88fee0e8f8","pyramid_id":"7757e954922d11439e9387e589688ad4","label":"On Monday","comment":"","position":3.0,"version":2,"is_deleted":true,"edit_id":"739f85ec2b264ea1a08cd1b5334e6176"}},{"table":"contributors","before":{"id":"d681ce6690944ffa93d8c66d56e1adce","scu_id":"72bd999974264a9bbceeff88fee0e8f8","reference_id":"f940b7a459004d52ac157e9e2a04c100","comment":"","position":1.0,"version":1,"is_deleted":false,"edit_id":"7672fbac48204dbb9c212797144515dd"},"after":{"id":"d681ce6690944ffa93d8c66d56e1adce","scu_id":"72bd999974264a9bbceeff88fee0e8f8","reference_id":"f940b7a459004d52ac157e9e2a04c100","comment":"","position":1.0,"version":2,"is_deleted":true,"edit_id":"739f85ec2b264ea1a08cd1b5334e6176"}},{"table":"contributor_parts","before":{"id":"a30890d169214351a27492d62088cd9a","contributor_id":"d681ce6690944ffa93d8c66d56e1adce","start":14,"end":23,"position":1.0,"version":1,"is_deleted":false,"edit_id":"7672fbac48204dbb9c212797144515dd"},"after":{"id":"a30890d169214351a27492d62088cd9a","contributor_id":"d681ce6690944ffa93d8c66d56e1adce","start":14,"end":23,"position":1.0,"version":2,"is_deleted":true,"edit_id":"739f85ec2b264ea1a08cd1b5334e6176"}}]',NULL);
INSERT INTO "edits" VALUES(9,'7a7c8ba624a5446e8b104c6344cde880','7698def2dbab429db9d733d53aa6eb39','0579d10012b84482a0f8ccf1c3748e1f','undo','2026-11-23T01:25:08.588395+00:00',0.0,7,NULL,NULL,'{"edit": "739f85ec2b264ea1a08cd1b5334e6176"}');
INSERT INTO "edits" VALUES(10,'42cd050b2ce14165b2c098dc9f18dc64','7698def2dbab429db9d733d53aa6eb39','0579d10012b84482a0f8ccf1c3748e1f','mark pyramid done','2026-11-23T01:25:08.591799+00:00',2.5,7,NULL,'[{"table":"pyramids","before":{"id":"7757e954922d11439e9387e589688ad4","topic_id":"0579d10012b84482a0f8ccf1c3748e1f","annotator_id":"7698def2dbab429db9d733d53aa6eb39","is_done":false,"version":0,"is_deleted":false,"edit_id":null},"after":{"id":"7757e954922d11439e9387e589688ad4","topic_id":"0579d10012b84482a0f8ccf1c3748e1f","annotator_id":"7698def2dbab429db9d733d53aa6eb39","is_done":true,"version":1,"is_deleted":false,"edit_id":"42cd050b2ce14165b2c098dc9f18dc64"}}]',NULL);
INSERT INTO "edits" VALUES(11,'9e1630c3a66d4ec7932ebaca52d72444','7698def2dbab429db9d733d53aa6eb39','0579d10012b84482a0f8ccf1c3748e1f','match','2026-11-23T01:25:08.596823+00:00',2.5,10,NULL,'[{"table":"matches","before":{"id":"1626e1fe97f0438fbc17c9ea128b0e95","pyramid_id":"7757e954922d11439e9387e589688ad4","summary_id":"e14eb060b778422eb1d9d5528ee280f6","annotator_id":"7698def2dbab429db9d733d53aa6eb39","scu_id":"6edf56bc281d4a1c917d29949212c681","comment":"","position":1.0,"version":0,"is_deleted":true,"edit_id":null},"after":{"id":"1626e1fe97f0438fbc17c9ea128b0e95","pyramid_id":"7757e954922d11439e9387e589688ad4","summary_id":"e14eb060b778422eb1d9d5528ee280f6","annotator_id":"7698def2dbab429db9d733d53aa6eb39","scu_id":"6edf56bc281d4a1c917d29949212c681","comment":"","position":1.0,"version":1,"is_deleted":false,"edit_id":"9e1630c3a66d4ec7932ebaca52d72444"}},{"table":"match_parts","before":{"id":"8e47dac295644ac896fa6b221887ec54","match_id":"1626e1fe97f0438fbc17c9ea128b0e95","start":25,"end":41,"position":1.0,"version":0,"is_deleted":true,"edit_id":null},"after":{"id":"8e47dac295644ac896fa6b221887ec54","match_id":"1626e1fe97f0438fbc17c9ea128b0e95","start":25,"end":41,"position":1.0,"version":1,"is_deleted":false,"edit_id":"9e1630c3a66d4ec7932ebaca52d72444"}}]',NULL);
INSERT INTO "edits" VALUES(12,'a05d54dbfd644fedb7e19b912370d370','7698def2dbab429db9d733d53aa6eb39','0579d10012b84482a0f8ccf1c3748e1f','match','2026-11-23T01:25:08.601421+00:00',2.5,11,NULL,'[{"table":"matches","before":{"id":"929f0d40e30d41b89c4a567394fcc142","pyramid_id":"7757e954922d11439e9387e589688ad4","summary_id":"e14eb060b778422eb1d9d5528ee280f6","annotator_id":"7698def2dbab429db9d733d53aa6eb39","scu_id":"f80984eb24b34dda84188f58af3f3fe4","comment":"","position":2.0,"version":0,"is_deleted":true,"edit_id":null},"after":{"id":"929f0d40e30d41b89c4a567394fcc142","pyramid_id":"7757e954922d11439e9387e589688ad4","summary_id":"e14eb060b778422eb1d9d5528ee280f6","annotator_id":"7698def2dbab429db9d733d53aa6eb39","scu_id":"f80984eb24b34dda84188f58af3f3fe4","comment":"","position":2.0,"version":1,"is_deleted":false,"edit_id":"a05d54dbfd644fedb7e19b912370d370"}},{"table":"match_parts","before":{"id":"a1f835fac0064e5b8e6c7b4abb66e36d","match_id":"929f0d40e30d41b89c4a567394fcc142","start":0,"end":13,"position":1.0,"version":0,"is_deleted":true,"edit_id":null},"after":{"id":"a1f835fac0064e5b8e6c7b4abb66e36d","match_id":"929f0d40e30d41b89c4a567394fcc142","start":0,"end":13,"position":1.0,"version":1,"is_deleted":false,"edit_id":"a05d54dbfd644fedb7e19b912370d370"}}]',NULL);
INSERT INTO "edits" VALUES(13,'d41d6cb6381845f5a3dd05a4c68f3e8d','7698def2dbab429db9d733d53aa6eb39','0579d10012b84482a0f8ccf1c3748e1f','match','2026-11-23T01:25:08.605333+00:00',2.5,12,NULL,'[{"table":"matches","before":{"id":"a79735da99a346c3bdf91f40d4773178","pyramid_id":"7757e954922d11439e9387e589688ad4","summary_id":"e14eb060b778422eb1d9d5528ee280f6","annotator_id":"7698def2dbab429db9d733d53aa6eb39","scu_id":"72bd999974264a9bbceeff88fee0e8f8","comment":"","position":3.0,"version":0,"is_deleted":true,"edit_id":null},"after":{"id":"a79735da99a346c3bdf91f40d4773178","pyramid_id":"7757e954922d11439e9387e589688ad4","summary_id":"e14eb060b778422eb1d9d5528ee280f6","annotator_id":"7698def2dbab429db9d733d53aa6eb39","scu_id":"72bd999974264a9bbceeff88fee0e8f8","comment":"","position":3.0,"version":1,"is_deleted":false,"edit_id":"d41d6cb6381845f5a3dd05a4c68f3e8d"}},{"table":"match_parts","before":{"id":"1f73abc1b5c749409eeee3d42f83db73","match_id":"a79735da99a346c3bdf91f40d4773178","start":14,"end":23,"position":1.0,"version":0,"is_deleted":true,"edit_id":null},"after":{"id":"1f73abc1b5c749409eeee3d42f83db73","match_id":"a79735da99a346c3bdf91f40d4773178","start":14,"end":23,"position":1.0,"version":1,"is_deleted":false,"edit_id":"d41d6cb6381845f5a3dd05a4c68f3e8d"}}]',NULL);
INSERT INTO "edits" VALUES(14,'dddd7df6f1f1470eac569154796009b3','7698def2dbab429db9d733d53aa6eb39','0579d10012b84482a0f8ccf1c3748e1f','match','2026-11-23T01:25:08.609253+00:00',2.5,13,NULL,'[{"table":"matches","before":{"id":"e44e08827d4d40bfa9e73817e52255b2","pyramid_id":"7757e954922d11439e9387e589688ad4","summary_id":"fd2833832f974090bfe50ed61b275ebb","annotator_id":"7698def2dbab429db9d733d53aa6eb39","scu_id":"6edf56bc281d4a1c917d29949212c681","comment":"","position":4.0,"version":0,"is_deleted":true,"edit_id":null},"after":{"id":"e44e08827d4d40bfa9e73817e52255b2","pyramid_id":"7757e954922d11439e9387e589688ad4","summary_id":"fd2833832f974090bfe50ed61b275ebb","annotator_id":"7698def2dbab429db9d733d53aa6eb39","scu_id":"6edf56bc281d4a1c917d29949212c681","comment":"","position":4.0,"version":1,"is_deleted":false,"edit_id":"dddd7df6f1f1470eac569154796009b3"}},{"table":"match_parts","before":{"id":"69ccf9b1744142e2aa307110bd210658","match_id":"e44e08827d4d40bfa9e73817e52255b2","start":16,"end":32,"position":1.0,"version":0,"is_deleted":true,"edit_id":null},"after":{"id":"69ccf9b1744142e2aa307110bd210658","match_id":"e44e08827d4d40bfa9e73817e52255b2","start":16,"end":32,"position":1.0,"version":1,"is_deleted":false,"edit_id":"dddd7df6f1f1470eac569154796009b3"}}]',NULL);
INSERT INTO "edits" VALUES(15,'0318faa41b3c415cbdcc5b4d53c92308','7698def2dbab429db9d733d53aa6eb39','0579d10012b84482a0f8ccf1c3748e1f','match','2026-11-23T01:25:08.613099+00:00',2.5,14,NULL,'[{"table":"matches","before":{"id":"639b3367c1d34f8eb7d60af159e34ac0","pyramid_id":"7757e954922d11439e9387e589688ad4","summary_id":"fd2833832f974090bfe50ed61b275ebb","annotator_id":"7698def2dbab429db9d733d53aa6eb39","scu_id":"f80984eb24b34dda84188f58af3f3fe4","comment":"","position":5.0,"version":0,"is_deleted":true,"edit_id":null},"after":{"id":"639b3367c1d34f8eb7d60af159e34ac0","pyramid_id":"7757e954922d11439e9387e589688ad4","summary_id":"fd2833832f974090bfe50ed61b275ebb","annotator_id":"7698def2dbab429db9d733d53aa6eb39","scu_id":"f80984eb24b34dda84188f58af3f3fe4","comment":"","position":5.0,"version":1,"is_deleted":false,"edit_id":"0318faa41b3c415cbdcc5b4d53c92308"}},{"table":"match_parts","before":{"id":"039e8d2e36b143bdb486c2fc71f0724b","match_id":"639b3367c1d34f8eb7d60af159e34ac0","start":0,"end":11,"position":1.0,"version":0,"is_deleted":true,"edit_id":null},"after":{"id":"039e8d2e36b143bdb486c2fc71f0724b","match_id":"639b3367c1d34f8eb7d60af159e34ac0","start":0,"end":11,"position":1.0,"version":1,"is_deleted":false,"edit_id":"0318faa41b3c415cbdcc5b4d53c92308"}}]',NULL);
INSERT INTO "edits" VALUES(16,'35e4f289ee1147a8b67686521a34219c','46ff3ab3588046f48b204d07cba94dff','0579d10012b84482a0f8ccf1c3748e1f','match','2026-11-23T01:25:08.617160+00:00',2.5,0,NULL,'[{"table":"matches","before":{"id":"31e4d84d2d0b46ec8169a571fdd4e982","pyramid_id":"7757e954922d11439e9387e589688ad4","summary_id":"fd2833832f974090bfe50ed61b275ebb","annotator_id":"46ff3ab3588046f48b204d07cba94dff","scu_id":null,"comment":"","position":6.0,"version":0,"is_deleted":true,"edit_id":null},"after":{"id":"31e4d84d2d0b46ec8169a571fdd4e982","pyramid_id":"7757e954922d11439e9387e589688ad4","summary_id":"fd2833832f974090bfe50ed61b275ebb","annotator_id":"46ff3ab3588046f48b204d07cba94dff","scu_id":null,"comment":"","position":6.0,"version":1,"is_deleted":false,"edit_id":"35e4f289ee1147a8b67686521a34219c"}},{"table":"match_parts","before":{"id":"545a9a79b8964e819079bb3c4c0d120b","match_id":"31e4d84d2d0b46ec8169a571fdd4e982","start":34,"end":51,"position":1.0,"version":0,"is_deleted":true,"edit_id":null},"after":{"id":"545a9a79b8964e819079bb3c4c0d120b","match_id":"31e4d84d2d0b46ec8169a571fdd4e982","start":34,"end":51,"position":1.0,"version":1,"is_deleted":false,"edit_id":"35e4f289ee1147a8b67686521a34219c"}}]',NULL);
INSERT INTO "edits" VALUES(17,'eaf24540d7774cf99becb54361260c9b','7698def2dbab429db9d733d53aa6eb39','0579d10012b84482a0f8ccf1c3748e1f','mark summary done','2026-11-23T01:25:08.621297+00:00',2.5,15,NULL,'[{"table":"summary_states","before":{"id":"4463292e422d4041a8b57fd89a788330","pyramid_id":"7757e954922d11439e9387e589688ad4","summary_id":"e14eb060b778422eb1d9d5528ee280f6","annotator_id":"7698def2dbab429db9d733d53aa6eb39","is_done":true,"is_flagged":false,"note":"","position":1.0,"version":0,"is_deleted":true,"edit_id":null},"after":{"id":"4463292e422d4041a8b57fd89a788330","pyramid_id":"7757e954922d11439e9387e589688ad4","summary_id":"e14eb060b778422eb1d9d5528ee280f6","annotator_id":"7698def2dbab429db9d733d53aa6eb39","is_done":true,"is_flagged":false,"note":"","position":1.0,"version":1,"is_deleted":false,"edit_id":"eaf24540d7774cf99becb54361260c9b"}}]',NULL);
INSERT INTO "edits" VALUES(18,'00c533eb8c54487ab87d3a8253a32f9e','7698def2dbab429db9d733d53aa6eb39','0579d10012b84482a0f8ccf1c3748e1f','rate coherence','2026-11-23T01:25:08.625320+00:00',0.0,17,NULL,'[{"table":"ratings","before":{"id":"a351ceb5bd874e0cbd32ec202ceb2ca9","summary_id":"e14eb060b778422eb1d9d5528ee280f6","dimension_id":"01360e42a3674a9186368a5c37cf2b07","annotator_id":"7698def2dbab429db9d733d53aa6eb39","value":5.0,"version":0,"is_deleted":true,"edit_id":null},"after":{"id":"a351ceb5bd874e0cbd32ec202ceb2ca9","summary_id":"e14eb060b778422eb1d9d5528ee280f6","dimension_id":"01360e42a3674a9186368a5c37cf2b07","annotator_id":"7698def2dbab429db9d733d53aa6eb39","value":5.0,"version":1,"is_deleted":false,"edit_id":"00c533eb8c54487ab87d3a8253a32f9e"}}]',NULL);
INSERT INTO "edits" VALUES(19,'eae75b7d3b6b4fed879577f6b1fe7f1d','7698def2dbab429db9d733d53aa6eb39','0579d10012b84482a0f8ccf1c3748e1f','rate coherence','2026-11-23T01:25:08.627316+00:00',0.0,18,NULL,'[{"table":"ratings","before":{"id":"79a51a2101b146f59a3b70f822a42c87","summary_id":"fd2833832f974090bfe50ed61b275ebb","dimension_id":"01360e42a3674a9186368a5c37cf2b07","annotator_id":"7698def2dbab429db9d733d53aa6eb39","value":4.0,"version":0,"is_deleted":true,"edit_id":null},"after":{"id":"79a51a2101b146f59a3b70f822a42c87","summary_id":"fd2833832f974090bfe50ed61b275ebb","dimension_id":"01360e42a3674a9186368a5c37cf2b07","annotator_id":"7698def2dbab429db9d733d53aa6eb39","value":4.0,"version":1,"is_deleted":false,"edit_id":"eae75b7d3b6b4fed879577f6b1fe7f1d"}}]',NULL);
INSERT INTO "edits" VALUES(20,'9f1d6976dd4840c59c72d4c6bf76dce6','7698def2dbab429db9d733d53aa6eb39','0579d10012b84482a0f8ccf1c3748e1f','rate coherence','2026-11-23T01:25:08.628883+00:00',0.0,19,NULL,'[{"table":"ratings","before":{"id":"dc5ef6ef7f9b4f56abea850e0e61ceb9","summary_id":"8a756a1f33484bd28e9cc4cf1a17dee8","dimension_id":"01360e42a3674a9186368a5c37cf2b07","annotator_id":"7698def2dbab429db9d733d53aa6eb39","value":1.0,"version":0,"is_deleted":true,"edit_id":null},"after":{"id":"dc5ef6ef7f9b4f56abea850e0e61ceb9","summary_id":"8a756a1f33484bd28e9cc4cf1a17dee8","dimension_id":"01360e42a3674a9186368a5c37cf2b07","annotator_id":"7698def2dbab429db9d733d53aa6eb39","value":1.0,"version":1,"is_deleted":false,"edit_id":"9f1d6976dd4840c59c72d4c6bf76dce6"}}]',NULL);
INSERT INTO "edits" VALUES(21,'e22564faed3b4579ad49f787f5cb72e7','46ff3ab3588046f48b204d07cba94dff','0579d10012b84482a0f8ccf1c3748e1f','rate fluency','2026-11-23T01:25:08.630314+00:00',0.0,16,NULL,'[{"table":"ratings","before":{"id":"6934b0c53c9a40dc809512080ff1cdfd","summary_id":"e14eb060b778422eb1d9d5528ee280f6","dimension_id":"c0362dce2e174e5c84d0401deff25120","annotator_id":"46ff3ab3588046f48b204d07cba94dff","value":70.0,"version":0,"is_deleted":true,"edit_id":null},"after":{"id":"6934b0c53c9a40dc809512080ff1cdfd","summary_id":"e14eb060b778422eb1d9d5528ee280f6","dimension_id":"c0362dce2e174e5c84d0401deff25120","annotator_id":"46ff3ab3588046f48b204d07cba94dff","value":70.0,"version":1,"is_deleted":false,"edit_id":"e22564faed3b4579ad49f787f5cb72e7"}}]',NULL);
INSERT INTO "edits" VALUES(22,'eb49e223ddac48ac8d1808cb524e692d',NULL,NULL,'set guidelines','2026-11-23T01:25:08.631437+00:00',0.0,1,NULL,'[{"table":"settings","before":{"id":"guidelines","value":"Mark whole clauses.","version":0,"is_deleted":true,"edit_id":null},"after":{"id":"guidelines","value":"Mark whole clauses.","version":1,"is_deleted":false,"edit_id":"eb49e223ddac48ac8d1808cb524e692d"}}]',NULL);
CREATE TABLE experiment_parts (
	experiment_id VARCHAR(32) NOT NULL, 
	"key" VARCHAR(64) NOT NULL, 
	shape TEXT NOT NULL, 
	block BLOB NOT NULL, 
	CONSTRAINT pk_experiment_parts PRIMARY KEY (experiment_id, "key"), 
	CONSTRAINT fk_experiment_parts_experiment_id_experiments FOREIGN KEY(experiment_id) REFERENCES experiments (id)
);
INSERT INTO "experiment_parts" VALUES('e1','n=3','[2, 3]',X'0000000000000000000000000000F03F0000000000000040000000000000084000000000000010400000000000001440');
CREATE TABLE experiments (
	id VARCHAR(32) NOT NULL, 
	experiment TEXT NOT NULL, 
	recipe TEXT NOT NULL, 
	title TEXT NOT NULL, 
	settings TEXT NOT NULL, 
	seed INTEGER NOT NULL, 
	inputs_hash TEXT NOT NULL, 
	at VARCHAR(32) NOT NULL, 
	seconds DOUBLE NOT NULL, 
	result TEXT NOT NULL, 
	CONSTRAINT pk_experiments PRIMARY KEY (id)
);
INSERT INTO "experiments" VALUES('e1','topics','','Fewer topics','{"draws": "3"}',7,'hash','2026-03-04T12:00:00+00:00',0.0,'');
CREATE TABLE match_parts (
	id VARCHAR(32) NOT NULL, 
	match_id VARCHAR(32) NOT NULL, 
	start INTEGER NOT NULL, 
	"end" INTEGER NOT NULL, 
	position DOUBLE NOT NULL, 
	version INTEGER NOT NULL, 
	is_deleted BOOLEAN NOT NULL, 
	edit_id VARCHAR(32), 
	CONSTRAINT pk_match_parts PRIMARY KEY (id), 
	CONSTRAINT ck_match_parts_span CHECK (start >= 0 AND "end" > start), 
	CONSTRAINT fk_match_parts_match_id_matches FOREIGN KEY(match_id) REFERENCES matches (id), 
	CONSTRAINT fk_match_parts_edit_id_edits FOREIGN KEY(edit_id) REFERENCES edits (id)
);
INSERT INTO "match_parts" VALUES('8e47dac295644ac896fa6b221887ec54','1626e1fe97f0438fbc17c9ea128b0e95',25,41,1.0,1,0,'9e1630c3a66d4ec7932ebaca52d72444');
INSERT INTO "match_parts" VALUES('a1f835fac0064e5b8e6c7b4abb66e36d','929f0d40e30d41b89c4a567394fcc142',0,13,1.0,1,0,'a05d54dbfd644fedb7e19b912370d370');
INSERT INTO "match_parts" VALUES('1f73abc1b5c749409eeee3d42f83db73','a79735da99a346c3bdf91f40d4773178',14,23,1.0,1,0,'d41d6cb6381845f5a3dd05a4c68f3e8d');
INSERT INTO "match_parts" VALUES('69ccf9b1744142e2aa307110bd210658','e44e08827d4d40bfa9e73817e52255b2',16,32,1.0,1,0,'dddd7df6f1f1470eac569154796009b3');
INSERT INTO "match_parts" VALUES('039e8d2e36b143bdb486c2fc71f0724b','639b3367c1d34f8eb7d60af159e34ac0',0,11,1.0,1,0,'0318faa41b3c415cbdcc5b4d53c92308');
INSERT INTO "match_parts" VALUES('545a9a79b8964e819079bb3c4c0d120b','31e4d84d2d0b46ec8169a571fdd4e982',34,51,1.0,1,0,'35e4f289ee1147a8b67686521a34219c');
CREATE TABLE matches (
	id VARCHAR(32) NOT NULL, 
	pyramid_id VARCHAR(32) NOT NULL, 
	summary_id VARCHAR(32) NOT NULL, 
	annotator_id VARCHAR(32) NOT NULL, 
	scu_id VARCHAR(32), 
	comment TEXT NOT NULL, 
	position DOUBLE NOT NULL, 
	version INTEGER NOT NULL, 
	is_deleted BOOLEAN NOT NULL, 
	edit_id VARCHAR(32), 
	CONSTRAINT pk_matches PRIMARY KEY (id), 
	CONSTRAINT fk_matches_pyramid_id_pyramids FOREIGN KEY(pyramid_id) REFERENCES pyramids (id), 
	CONSTRAINT fk_matches_summary_id_summaries FOREIGN KEY(summary_id) REFERENCES summaries (id), 
	CONSTRAINT fk_matches_annotator_id_annotators FOREIGN KEY(annotator_id) REFERENCES annotators (id), 
	CONSTRAINT fk_matches_scu_id_scus FOREIGN KEY(scu_id) REFERENCES scus (id), 
	CONSTRAINT fk_matches_edit_id_edits FOREIGN KEY(edit_id) REFERENCES edits (id)
);
INSERT INTO "matches" VALUES('1626e1fe97f0438fbc17c9ea128b0e95','7757e954922d11439e9387e589688ad4','e14eb060b778422eb1d9d5528ee280f6','7698def2dbab429db9d733d53aa6eb39','6edf56bc281d4a1c917d29949212c681','',1.0,1,0,'9e1630c3a66d4ec7932ebaca52d72444');
INSERT INTO "matches" VALUES('929f0d40e30d41b89c4a567394fcc142','7757e954922d11439e9387e589688ad4','e14eb060b778422eb1d9d5528ee280f6','7698def2dbab429db9d733d53aa6eb39','f80984eb24b34dda84188f58af3f3fe4','',2.0,1,0,'a05d54dbfd644fedb7e19b912370d370');
INSERT INTO "matches" VALUES('a79735da99a346c3bdf91f40d4773178','7757e954922d11439e9387e589688ad4','e14eb060b778422eb1d9d5528ee280f6','7698def2dbab429db9d733d53aa6eb39','72bd999974264a9bbceeff88fee0e8f8','',3.0,1,0,'d41d6cb6381845f5a3dd05a4c68f3e8d');
INSERT INTO "matches" VALUES('e44e08827d4d40bfa9e73817e52255b2','7757e954922d11439e9387e589688ad4','fd2833832f974090bfe50ed61b275ebb','7698def2dbab429db9d733d53aa6eb39','6edf56bc281d4a1c917d29949212c681','',4.0,1,0,'dddd7df6f1f1470eac569154796009b3');
INSERT INTO "matches" VALUES('639b3367c1d34f8eb7d60af159e34ac0','7757e954922d11439e9387e589688ad4','fd2833832f974090bfe50ed61b275ebb','7698def2dbab429db9d733d53aa6eb39','f80984eb24b34dda84188f58af3f3fe4','',5.0,1,0,'0318faa41b3c415cbdcc5b4d53c92308');
INSERT INTO "matches" VALUES('31e4d84d2d0b46ec8169a571fdd4e982','7757e954922d11439e9387e589688ad4','fd2833832f974090bfe50ed61b275ebb','46ff3ab3588046f48b204d07cba94dff',NULL,'',6.0,1,0,'35e4f289ee1147a8b67686521a34219c');
CREATE TABLE metric_configs (
	number INTEGER NOT NULL, 
	signature TEXT NOT NULL, 
	metric TEXT NOT NULL, 
	family TEXT NOT NULL, 
	spec TEXT NOT NULL, 
	measures TEXT NOT NULL, 
	"references" TEXT NOT NULL, 
	higher_is_better BOOLEAN NOT NULL, 
	CONSTRAINT pk_metric_configs PRIMARY KEY (number), 
	CONSTRAINT uq_metric_configs_signature UNIQUE (signature)
);
INSERT INTO "metric_configs" VALUES(1,'rouge-n|n:1|stem:no|stop_words:no|text:1.5.5|words:0|bytes:0|pooling:sum|alpha:0.5|rounding:1.5.5|mode:1.5.5|version:1','rouge-n','ROUGE','rouge-n:n=1','["rouge-1.recall", "rouge-1.precision", "rouge-1.f"]','[]',1);
INSERT INTO "metric_configs" VALUES(2,'rouge-l|stem:no|stop_words:no|text:1.5.5|split:sentences|words:0|bytes:0|pooling:sum|alpha:0.5|rounding:1.5.5|mode:1.5.5|version:1','rouge-l','ROUGE','rouge-l','["rouge-l.recall", "rouge-l.precision", "rouge-l.f"]','[]',1);
INSERT INTO "metric_configs" VALUES(3,'pyramid|annotator:all|version:1','pyramid','Pyramid','pyramid','["pyramid.modified", "pyramid.original", "pyramid.comprehensive", "pyramid.presence"]','[]',1);
CREATE TABLE nugget_hits (
	id VARCHAR(32) NOT NULL, 
	nugget_id VARCHAR(32) NOT NULL, 
	annotator_id VARCHAR(32) NOT NULL, 
	reference_id VARCHAR(32), 
	summary_id VARCHAR(32), 
	start INTEGER, 
	"end" INTEGER, 
	version INTEGER NOT NULL, 
	is_deleted BOOLEAN NOT NULL, 
	edit_id VARCHAR(32), 
	CONSTRAINT pk_nugget_hits PRIMARY KEY (id), 
	CONSTRAINT ck_nugget_hits_one_text CHECK ((reference_id IS NULL) <> (summary_id IS NULL)), 
	CONSTRAINT ck_nugget_hits_span CHECK ((start IS NULL AND "end" IS NULL) OR (start >= 0 AND "end" > start)), 
	CONSTRAINT fk_nugget_hits_nugget_id_nuggets FOREIGN KEY(nugget_id) REFERENCES nuggets (id), 
	CONSTRAINT fk_nugget_hits_annotator_id_annotators FOREIGN KEY(annotator_id) REFERENCES annotators (id), 
	CONSTRAINT fk_nugget_hits_reference_id_references FOREIGN KEY(reference_id) REFERENCES "references" (id), 
	CONSTRAINT fk_nugget_hits_summary_id_summaries FOREIGN KEY(summary_id) REFERENCES summaries (id), 
	CONSTRAINT fk_nugget_hits_edit_id_edits FOREIGN KEY(edit_id) REFERENCES edits (id)
);
CREATE TABLE nuggets (
	id VARCHAR(32) NOT NULL, 
	topic_id VARCHAR(32) NOT NULL, 
	annotator_id VARCHAR(32) NOT NULL, 
	content TEXT NOT NULL, 
	comment TEXT NOT NULL, 
	position DOUBLE NOT NULL, 
	version INTEGER NOT NULL, 
	is_deleted BOOLEAN NOT NULL, 
	edit_id VARCHAR(32), 
	CONSTRAINT pk_nuggets PRIMARY KEY (id), 
	CONSTRAINT fk_nuggets_topic_id_topics FOREIGN KEY(topic_id) REFERENCES topics (id), 
	CONSTRAINT fk_nuggets_annotator_id_annotators FOREIGN KEY(annotator_id) REFERENCES annotators (id), 
	CONSTRAINT fk_nuggets_edit_id_edits FOREIGN KEY(edit_id) REFERENCES edits (id)
);
CREATE TABLE pyramids (
	id VARCHAR(32) NOT NULL, 
	topic_id VARCHAR(32) NOT NULL, 
	annotator_id VARCHAR(32) NOT NULL, 
	is_done BOOLEAN NOT NULL, 
	version INTEGER NOT NULL, 
	is_deleted BOOLEAN NOT NULL, 
	edit_id VARCHAR(32), 
	CONSTRAINT pk_pyramids PRIMARY KEY (id), 
	CONSTRAINT uq_pyramids_topic_id_annotator_id UNIQUE (topic_id, annotator_id), 
	CONSTRAINT fk_pyramids_topic_id_topics FOREIGN KEY(topic_id) REFERENCES topics (id), 
	CONSTRAINT fk_pyramids_annotator_id_annotators FOREIGN KEY(annotator_id) REFERENCES annotators (id), 
	CONSTRAINT fk_pyramids_edit_id_edits FOREIGN KEY(edit_id) REFERENCES edits (id)
);
INSERT INTO "pyramids" VALUES('7757e954922d11439e9387e589688ad4','0579d10012b84482a0f8ccf1c3748e1f','7698def2dbab429db9d733d53aa6eb39',1,1,0,'42cd050b2ce14165b2c098dc9f18dc64');
CREATE TABLE ratings (
	id VARCHAR(32) NOT NULL, 
	summary_id VARCHAR(32) NOT NULL, 
	dimension_id VARCHAR(32) NOT NULL, 
	annotator_id VARCHAR(32) NOT NULL, 
	value DOUBLE NOT NULL, 
	version INTEGER NOT NULL, 
	is_deleted BOOLEAN NOT NULL, 
	edit_id VARCHAR(32), 
	CONSTRAINT pk_ratings PRIMARY KEY (id), 
	CONSTRAINT uq_ratings_summary_id_dimension_id_annotator_id UNIQUE (summary_id, dimension_id, annotator_id), 
	CONSTRAINT fk_ratings_summary_id_summaries FOREIGN KEY(summary_id) REFERENCES summaries (id), 
	CONSTRAINT fk_ratings_dimension_id_dimensions FOREIGN KEY(dimension_id) REFERENCES dimensions (id), 
	CONSTRAINT fk_ratings_annotator_id_annotators FOREIGN KEY(annotator_id) REFERENCES annotators (id), 
	CONSTRAINT fk_ratings_edit_id_edits FOREIGN KEY(edit_id) REFERENCES edits (id)
);
INSERT INTO "ratings" VALUES('a351ceb5bd874e0cbd32ec202ceb2ca9','e14eb060b778422eb1d9d5528ee280f6','01360e42a3674a9186368a5c37cf2b07','7698def2dbab429db9d733d53aa6eb39',5.0,1,0,'00c533eb8c54487ab87d3a8253a32f9e');
INSERT INTO "ratings" VALUES('79a51a2101b146f59a3b70f822a42c87','fd2833832f974090bfe50ed61b275ebb','01360e42a3674a9186368a5c37cf2b07','7698def2dbab429db9d733d53aa6eb39',4.0,1,0,'eae75b7d3b6b4fed879577f6b1fe7f1d');
INSERT INTO "ratings" VALUES('dc5ef6ef7f9b4f56abea850e0e61ceb9','8a756a1f33484bd28e9cc4cf1a17dee8','01360e42a3674a9186368a5c37cf2b07','7698def2dbab429db9d733d53aa6eb39',1.0,1,0,'9f1d6976dd4840c59c72d4c6bf76dce6');
INSERT INTO "ratings" VALUES('6934b0c53c9a40dc809512080ff1cdfd','e14eb060b778422eb1d9d5528ee280f6','c0362dce2e174e5c84d0401deff25120','46ff3ab3588046f48b204d07cba94dff',70.0,1,0,'e22564faed3b4579ad49f787f5cb72e7');
CREATE TABLE "references" (
	id VARCHAR(32) NOT NULL, 
	topic_id VARCHAR(32) NOT NULL, 
	author TEXT NOT NULL, 
	content TEXT NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	sentence_spans TEXT, 
	external_id TEXT NOT NULL, 
	CONSTRAINT pk_references PRIMARY KEY (id), 
	CONSTRAINT uq_references_topic_id_author UNIQUE (topic_id, author), 
	CONSTRAINT fk_references_topic_id_topics FOREIGN KEY(topic_id) REFERENCES topics (id)
);
INSERT INTO "references" VALUES('f940b7a459004d52ac157e9e2a04c100','0579d10012b84482a0f8ccf1c3748e1f','A','The dam burst on Monday. Nine people died in the flood.','9dc94f69db2d91649b765f392f2cbe32dd1e4e456acffccb29f01c1ccd60dc23',NULL,'');
INSERT INTO "references" VALUES('dec6813e26c345389a4b60b11641eca7','0579d10012b84482a0f8ccf1c3748e1f','B','Nine people were killed when the dam broke.
Rescue teams came from Zürich. 🌊','f6049ea9fb448660dcd5ec4f03b934d31a0a68f8484ea8a702d6d86e60cf16df',NULL,'');
INSERT INTO "references" VALUES('0298aad51aa14f34b21848a1f266991b','6715732d45574d18945c1dd12731a6e2','A','A second topic without annotations.','6bdfa3b6b21a79212f3dfe5f05672712226613ecc913c7453b498447846a1f83',NULL,'');
CREATE TABLE scores (
	config INTEGER NOT NULL, 
	topic_id VARCHAR(32) NOT NULL, 
	systems TEXT NOT NULL, 
	"references" TEXT NOT NULL, 
	block BLOB NOT NULL, 
	stats BLOB, 
	statistics INTEGER NOT NULL, 
	inputs_hash TEXT NOT NULL, 
	seconds DOUBLE NOT NULL, 
	notes TEXT NOT NULL, 
	CONSTRAINT pk_scores PRIMARY KEY (config, topic_id), 
	CONSTRAINT fk_scores_config_metric_configs FOREIGN KEY(config) REFERENCES metric_configs (number), 
	CONSTRAINT fk_scores_topic_id_topics FOREIGN KEY(topic_id) REFERENCES topics (id)
);
INSERT INTO "scores" VALUES(1,'0579d10012b84482a0f8ccf1c3748e1f','["lead", "sys2", "sys3"]','["A", "B"]',X'B81E85EB51B8DE3F000000000000E83F96E7C1DD59BBE23F9A9999999999D93F000000000000E03FFD304278B471DC3F000000000000000000000000000000000000000000000000',X'00000000000020400000000000002640000000000000204000000000000010400000000000002C40000000000000204000000000000010400000000000002640000000000000244000000000000018400000000000002C40000000000000244000000000000000000000000000002640000000000000084000000000000000000000000000002C400000000000000840',3,'7a7147cac6ea447d6ba95e92a41be52d9f190bf7a3497cbc2b34c58def9c8f50',1.33351100157597102224e-03,'{"dropped_characters": 1}');
INSERT INTO "scores" VALUES(2,'0579d10012b84482a0f8ccf1c3748e1f','["lead", "sys2", "sys3"]','["A", "B"]',X'B81E85EB51B8DE3F000000000000E83F96E7C1DD59BBE23F7B14AE47E17AD43F9A9999999999D93F3602F1BA7EC1D63F000000000000000000000000000000000000000000000000',X'00000000000020400000000000002640000000000000204000000000000010400000000000002C40000000000000204000000000000010400000000000002640000000000000244000000000000010400000000000002C40000000000000244000000000000000000000000000002640000000000000084000000000000000000000000000002C400000000000000840',3,'1a5b7bdfe2e2124039daf10fa50e83f0b28883d394693d3b894783220919d1dd',1.47080390015617012977e-02,'{"dropped_characters": 1}');
INSERT INTO "scores" VALUES(3,'0579d10012b84482a0f8ccf1c3748e1f','["lead", "sys2", "sys3"]','["A", "B"]',X'555555555555F53F000000000000F03F000000000000F03F000000000000F03F000000000000F87F000000000000F87F000000000000F87F000000000000F87F000000000000F87F000000000000F87F000000000000F87F000000000000F87F',X'000000000000004000000000000000400000000000000040000000000000F0BF0000000000000000000000000000004000000000000000000000000000000000000000000000F0BF000000000000000000000000000000400000000000000040000000000000F03F000000000000F0FF0000000000000000000000000000004000000000000000000000000000000000000000000000F0FF0000000000000000000000000000F03F000000000000F03F000000000000F03F000000000000F0FF0000000000000000000000000000F03F00000000000000000000000000000000000000000000F0FF0000000000000000',5,'2b9c585a3f1aa2f26291ce1ab0ba807b6fb18ce3094f84451d3131f769882cdb',1.63271470009931363165e-02,'{}');
INSERT INTO "scores" VALUES(1,'6715732d45574d18945c1dd12731a6e2','["lead", "sys2", "sys3"]','["A"]',X'333333333333E33F000000000000F03F000000000000E83F0000000000000000000000000000000000000000000000009A9999999999D93F000000000000F03F45813E912749E23F',X'00000000000008400000000000001440000000000000084000000000000000000000000000001440000000000000F03F000000000000004000000000000014400000000000000040',3,'7b3020701a84bd48ee344990b01b8a7509b73a3c980f23e5d2842478a2c88097',4.5107400001143105328e-04,'{}');
INSERT INTO "scores" VALUES(2,'6715732d45574d18945c1dd12731a6e2','["lead", "sys2", "sys3"]','["A"]',X'333333333333E33F000000000000F03F000000000000E83F0000000000000000000000000000000000000000000000009A9999999999D93F000000000000F03F45813E912749E23F',X'00000000000008400000000000001440000000000000084000000000000000000000000000001440000000000000F03F000000000000004000000000000014400000000000000040',3,'d274b07fc7ec30808364e77cb0f35f8ab48fc89edf3e536c386c738b611e8a55',5.38102998689282685518e-04,'{}');
CREATE TABLE scus (
	id VARCHAR(32) NOT NULL, 
	pyramid_id VARCHAR(32) NOT NULL, 
	label TEXT NOT NULL, 
	comment TEXT NOT NULL, 
	position DOUBLE NOT NULL, 
	version INTEGER NOT NULL, 
	is_deleted BOOLEAN NOT NULL, 
	edit_id VARCHAR(32), 
	CONSTRAINT pk_scus PRIMARY KEY (id), 
	CONSTRAINT fk_scus_pyramid_id_pyramids FOREIGN KEY(pyramid_id) REFERENCES pyramids (id), 
	CONSTRAINT fk_scus_edit_id_edits FOREIGN KEY(edit_id) REFERENCES edits (id)
);
INSERT INTO "scus" VALUES('6edf56bc281d4a1c917d29949212c681','7757e954922d11439e9387e589688ad4','Nine people died','Number is certain.',1.0,2,0,'5ac4b8032c5241788afa59d766900d49');
INSERT INTO "scus" VALUES('f80984eb24b34dda84188f58af3f3fe4','7757e954922d11439e9387e589688ad4','The dam burst','',2.0,1,0,'bc6dfc3cf5464a178c1df84eb555b192');
INSERT INTO "scus" VALUES('72bd999974264a9bbceeff88fee0e8f8','7757e954922d11439e9387e589688ad4','On Monday','',3.0,1,0,'7672fbac48204dbb9c212797144515dd');
CREATE TABLE settings (
	id VARCHAR(64) NOT NULL, 
	version INTEGER NOT NULL, 
	is_deleted BOOLEAN NOT NULL, 
	edit_id VARCHAR(32), 
	value TEXT NOT NULL, 
	CONSTRAINT pk_settings PRIMARY KEY (id), 
	CONSTRAINT fk_settings_edit_id_edits FOREIGN KEY(edit_id) REFERENCES edits (id)
);
INSERT INTO "settings" VALUES('name',1,0,'d8d9414edb0b407db0061ea9a4b74622','Study of version 0.1');
INSERT INTO "settings" VALUES('guidelines',1,0,'eb49e223ddac48ac8d1808cb524e692d','Mark whole clauses.');
CREATE TABLE summaries (
	id VARCHAR(32) NOT NULL, 
	topic_id VARCHAR(32) NOT NULL, 
	system_id VARCHAR(32) NOT NULL, 
	content TEXT NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	sentence_spans TEXT, 
	external_id TEXT NOT NULL, 
	CONSTRAINT pk_summaries PRIMARY KEY (id), 
	CONSTRAINT uq_summaries_topic_id_system_id UNIQUE (topic_id, system_id), 
	CONSTRAINT fk_summaries_topic_id_topics FOREIGN KEY(topic_id) REFERENCES topics (id), 
	CONSTRAINT fk_summaries_system_id_systems FOREIGN KEY(system_id) REFERENCES systems (id)
);
INSERT INTO "summaries" VALUES('e14eb060b778422eb1d9d5528ee280f6','0579d10012b84482a0f8ccf1c3748e1f','c12853976228458e8bbf65182472cfc6','The dam burst on Monday. Nine people died.','00f9750959f3383017faca4cb6c32f6c9714a050612bb877c73cee790dfcf4ee',NULL,'');
INSERT INTO "summaries" VALUES('fd2833832f974090bfe50ed61b275ebb','0579d10012b84482a0f8ccf1c3748e1f','345325bca6934f5fbf8e3ce7b2d2b25e','A dam broke and nine people died, rescue teams said.','fb14a7da7078ba904065256fc5409cc6835e0f1fb24aac97d345f954f425e1c0',NULL,'');
INSERT INTO "summaries" VALUES('8a756a1f33484bd28e9cc4cf1a17dee8','0579d10012b84482a0f8ccf1c3748e1f','281c00c68de246b8aa06b801d246a1e8','Rain is expected.','01f33b705fc2fc8098d036e7f4953dba8d7441729fb1b614ee6a121cc7db9396',NULL,'');
INSERT INTO "summaries" VALUES('4456739ec726424ea078e87b7821bc92','6715732d45574d18945c1dd12731a6e2','c12853976228458e8bbf65182472cfc6','A second topic.','f35a633219aefd95ce04256d469cae4f97566da4ffcab912a73d6599334d2d4a',NULL,'');
INSERT INTO "summaries" VALUES('5a107d47d9fc471ba22860b39b0bc266','6715732d45574d18945c1dd12731a6e2','345325bca6934f5fbf8e3ce7b2d2b25e','Nothing.','9cc3e24fe9d0a9d86f56f80390504afa0a9a3fbbb57ec0911fc8c11493ff9c50',NULL,'');
INSERT INTO "summaries" VALUES('22899fbbd4d14868a2a435300be729de','6715732d45574d18945c1dd12731a6e2','281c00c68de246b8aa06b801d246a1e8','Without annotations.','7d95a2af0357e597e22a99628756d85487b5f1666cf48de90eb27e4d06095a3d',NULL,'');
CREATE TABLE summary_states (
	id VARCHAR(32) NOT NULL, 
	pyramid_id VARCHAR(32) NOT NULL, 
	summary_id VARCHAR(32) NOT NULL, 
	annotator_id VARCHAR(32) NOT NULL, 
	is_done BOOLEAN NOT NULL, 
	is_flagged BOOLEAN NOT NULL, 
	note TEXT NOT NULL, 
	position DOUBLE NOT NULL, 
	version INTEGER NOT NULL, 
	is_deleted BOOLEAN NOT NULL, 
	edit_id VARCHAR(32), 
	CONSTRAINT pk_summary_states PRIMARY KEY (id), 
	CONSTRAINT fk_summary_states_pyramid_id_pyramids FOREIGN KEY(pyramid_id) REFERENCES pyramids (id), 
	CONSTRAINT fk_summary_states_summary_id_summaries FOREIGN KEY(summary_id) REFERENCES summaries (id), 
	CONSTRAINT fk_summary_states_annotator_id_annotators FOREIGN KEY(annotator_id) REFERENCES annotators (id), 
	CONSTRAINT fk_summary_states_edit_id_edits FOREIGN KEY(edit_id) REFERENCES edits (id)
);
INSERT INTO "summary_states" VALUES('4463292e422d4041a8b57fd89a788330','7757e954922d11439e9387e589688ad4','e14eb060b778422eb1d9d5528ee280f6','7698def2dbab429db9d733d53aa6eb39',1,0,'',1.0,1,0,'eaf24540d7774cf99becb54361260c9b');
CREATE TABLE systems (
	id VARCHAR(32) NOT NULL, 
	name TEXT NOT NULL, 
	kind VARCHAR(16) NOT NULL, 
	CONSTRAINT pk_systems PRIMARY KEY (id), 
	CONSTRAINT uq_systems_name UNIQUE (name)
);
INSERT INTO "systems" VALUES('c12853976228458e8bbf65182472cfc6','lead','baseline');
INSERT INTO "systems" VALUES('345325bca6934f5fbf8e3ce7b2d2b25e','sys2','automatic');
INSERT INTO "systems" VALUES('281c00c68de246b8aa06b801d246a1e8','sys3','automatic');
CREATE TABLE topics (
	id VARCHAR(32) NOT NULL, 
	name TEXT NOT NULL, 
	title TEXT NOT NULL, 
	"query" TEXT NOT NULL, 
	"set" TEXT NOT NULL, 
	CONSTRAINT pk_topics PRIMARY KEY (id), 
	CONSTRAINT uq_topics_name UNIQUE (name)
);
INSERT INTO "topics" VALUES('0579d10012b84482a0f8ccf1c3748e1f','D1','Dam burst','','T1');
INSERT INTO "topics" VALUES('6715732d45574d18945c1dd12731a6e2','D2','Empty topic','Why?','T1');
CREATE INDEX ix_summaries_system_id ON summaries (system_id);
CREATE INDEX ix_edits_topic_id ON edits (topic_id);
CREATE INDEX ix_edits_annotator_id_number ON edits (annotator_id, number);
CREATE INDEX ix_nuggets_topic_id ON nuggets (topic_id);
CREATE INDEX ix_ratings_dimension_id ON ratings (dimension_id);
CREATE INDEX ix_scus_pyramid_id ON scus (pyramid_id);
CREATE UNIQUE INDEX uq_summary_states_live ON summary_states (pyramid_id, summary_id, annotator_id) WHERE NOT is_deleted;
CREATE INDEX ix_nugget_hits_summary_id ON nugget_hits (summary_id);
CREATE INDEX ix_nugget_hits_nugget_id ON nugget_hits (nugget_id);
CREATE INDEX ix_nugget_hits_reference_id ON nugget_hits (reference_id);
CREATE INDEX ix_contributors_scu_id ON contributors (scu_id);
CREATE INDEX ix_matches_pyramid_id ON matches (pyramid_id);
CREATE INDEX ix_matches_scu_id ON matches (scu_id);
CREATE INDEX ix_contributor_parts_contributor_id ON contributor_parts (contributor_id);
CREATE INDEX ix_match_parts_match_id ON match_parts (match_id);
COMMIT;
