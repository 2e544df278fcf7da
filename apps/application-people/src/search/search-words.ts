/** Letters that stand for others and that no decomposition takes apart. */
const SPELLED: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
};

/** The words of a text as they are compared: without case, without accents, in the plain form of each letter. */
export function searchWords(text: string): string[] {
  const words = plain(text).match(/[\p{L}\p{N}]+/gu);
  return words ?? [];
}

function plain(text: string): string {
  // Most names and all addresses need no more than this, and a directory has many.
  if (/^[ -~]*$/.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[ßæœøđðłþı]/g, (letter) => SPELLED[letter] ?? letter);
}
