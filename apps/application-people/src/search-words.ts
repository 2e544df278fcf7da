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
  const plain = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[ßæœøđðłþı]/g, (letter) => SPELLED[letter] ?? letter);
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}
