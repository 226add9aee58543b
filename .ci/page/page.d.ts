// What bundle.py writes before the modules: the table of all animals by their names.
declare const ANIMALS: Record<string, any>;
