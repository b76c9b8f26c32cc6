/** The maximum number of entries (files and folders) in a zip that uses no extensions of the format. */
export const ZIP_ENTRIES_MAX = 65_535;
