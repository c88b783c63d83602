# Writes mixed_models.json: data sets of lme4 with the values of lme4 and of Satterthwaite's method in lmerTest.
# Made with R 4.2.2, lme4 1.1-31 and lmerTest 3.1-3 (Debian packages): Rscript make_mixed_models.R > mixed_models.json
suppressMessages(library(lmerTest))
control <- lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-10, maxfun = 1e5), calc.derivs = FALSE)
number <- function(x) paste(format(x, digits = 10, trim = TRUE), collapse = ", ")
entry <- function(name, formula, data, effects, fixed = NULL) {
  model <- suppressMessages(lmer(formula, data, control = control))
  parts <- as.data.frame(VarCorr(model))
  table <- coef(summary(model))
  codes <- sapply(effects, function(e) sprintf('"%s": [%s]', e, number(as.integer(data[[e]]) - 1)))
  variances <- sapply(effects, function(e) sprintf('"%s": %s', e, number(parts$vcov[parts$grp == e])))
  by <- if (is.null(fixed)) rep(0, nrow(data)) else as.integer(data[[fixed]]) - 1
  sprintf('"%s": {"y": [%s], "fixed": [%s], "codes": {%s}, "variances": {%s}, "residual": %s, "criterion": %s, "estimates": [%s], "errors": [%s], "df": [%s]}',
    name, number(data[[all.vars(formula)[1]]]), number(by), paste(codes, collapse = ", "),
    paste(variances, collapse = ", "), number(parts$vcov[parts$grp == "Residual"]), number(REMLcrit(model)),
    number(table[, "Estimate"]), number(table[, "Std. Error"]), number(table[, "df"]))
}
part <- Penicillin[-seq(1, 144, by = 7), ]
cat("{", paste(c(
  entry("crossed", diameter ~ 1 + (1 | plate) + (1 | sample), Penicillin, c("plate", "sample")),
  entry("unbalanced", diameter ~ 1 + (1 | plate) + (1 | sample), part, c("plate", "sample")),
  entry("fixed", diameter ~ 0 + sample + (1 | plate), part, "plate", "sample"),
  entry("nested", strength ~ 1 + (1 | batch) + (1 | sample), Pastes, c("batch", "sample")),
  entry("singular", Yield ~ 1 + (1 | Batch), Dyestuff2, "Batch")), collapse = ",\n "), "}\n", sep = "")
