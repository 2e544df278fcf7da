/** More than anyone reads; each of them is measured again and again. */
export const MOST_RULES = 100;
