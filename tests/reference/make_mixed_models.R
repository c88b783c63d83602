# Writes mixed_models.json: data sets of lme4 with the values of lme4 and of Satterthwaite's method in lmerTest;
# sd_low and sd_high: ends of lme4's profile intervals of the effects' standard deviations, then of sigma's. Those of
# dyestuff, nested (Pastes) and crossed (Penicillin) are also printed in D. Bates, lme4: Mixed-effects modeling with R.
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
  ends <- suppressMessages(confint(model, parm = "theta_", oldNames = FALSE))
  rows <- c(sapply(effects, function(e) grep(paste0("\\|", e, "$"), rownames(ends))), nrow(ends))
  ends[is.na(ends[, 1]), 1] <- 0  # the boundary; Inf: lme4 finds no end
  sprintf('"%s": {"y": [%s], "fixed": [%s], "codes": {%s}, "variances": {%s}, "residual": %s, "criterion": %s, "estimates": [%s], "errors": [%s], "df": [%s], "sd_low": [%s], "sd_high": [%s]}',
    name, number(data[[all.vars(formula)[1]]]), number(by), paste(codes, collapse = ", "),
    paste(variances, collapse = ", "), number(parts$vcov[parts$grp == "Residual"]), number(REMLcrit(model)),
    number(table[, "Estimate"]), number(table[, "Std. Error"]), number(table[, "df"]),
    number(ends[rows, 1]), sub("Inf", "null", number(ends[rows, 2])))
}
part <- Penicillin[-seq(1, 144, by = 7), ]
cat("{", paste(c(
  entry("dyestuff", Yield ~ 1 + (1 | Batch), Dyestuff, "Batch"),
  entry("crossed", diameter ~ 1 + (1 | plate) + (1 | sample), Penicillin, c("plate", "sample")),
  entry("unbalanced", diameter ~ 1 + (1 | plate) + (1 | sample), part, c("plate", "sample")),
  entry("fixed", diameter ~ 0 + sample + (1 | plate), part, "plate", "sample"),
  entry("nested", strength ~ 1 + (1 | batch) + (1 | sample), Pastes, c("batch", "sample")),
  entry("singular", Yield ~ 1 + (1 | Batch), Dyestuff2, "Batch")), collapse = ",\n "), "}\n", sep = "")
