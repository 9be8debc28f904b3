"""Fitting the models that the package ships."""
