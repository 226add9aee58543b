// What bundle.py writes before the modules.
declare const recording: any;
