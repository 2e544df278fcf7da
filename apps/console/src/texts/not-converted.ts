/** Modules whose texts are not in the catalogue yet, one part for each translator. The list only shrinks. */
export const NOT_CONVERTED: readonly string[] = [];
