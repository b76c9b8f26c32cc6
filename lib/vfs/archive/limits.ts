/** The most entries that a zip can have without extensions. */
export const ZIP_ENTRIES_MAX = 65_535;
