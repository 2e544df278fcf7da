import type { Dice } from '@ringdown/testing/fuzz/dice';
import { fuzzedReader, type FuzzedReader } from '@ringdown/testing/fuzz/fuzzed-reader';
import { pumpLength, pumpString } from '@ringdown/testing/fuzz/pumps';
import { jpegWith, pngWith } from '@ringdown/testing/small-photos';
import { PRESETS } from '../../src/ldap/ldap-names.js';
import { EntryReader } from '../../src/ldap/ldap-person.js';
import { parsePhone } from '../../src/people/phone.js';
import { MAX_PHOTO_BYTES, photoIn } from '../../src/photos/photo.js';

/** The maximum length of a text in a response of a directory server. */
const VALUE_LIMIT = 65_536;
const SEGMENT_LIMIT = 60_000;
const entries = new EntryReader({ names: PRESETS['active-directory'], sipDomain: 'example.test' });
const ATTRIBUTES = [...entries.attributes, 'unknown'];
const TYPES = ['tEXt', 'eXIf', 'iTXt', 'IDAT', 'abcd'];
const BYTES = ['\0', 'ÿ', 'ÿØ', 'ÿá', 'Exif\0\0II*\0', 'Exif\0\0MM\0*\0\0\0\u0008ÿÿ', 'JFIF\0', 'Adobe', 'a'];

type Attributes = Readonly<Record<string, string | string[]>>;

function entry(dice: Dice): Attributes & { readonly dn: string } {
  const given = Array.from({ length: 1 + dice.below(4) }, (): [string, string | string[]] => {
    const value = pumpString(dice, VALUE_LIMIT);
    return [
      dice.of(ATTRIBUTES),
      dice.onceIn(10) ? Array<string>(pumpLength(dice, 1_000)).fill(dice.of(['', ' ', 'a'])) : value,
    ];
  });
  return { userPrincipalName: 'anna@example.test', ...Object.fromEntries(given), dn: 'cn=anna' };
}

function photo(dice: Dice): Buffer {
  const content = (): Buffer =>
    Buffer.from(dice.of(BYTES).repeat(pumpLength(dice, SEGMENT_LIMIT / 4)), 'latin1').subarray(0, SEGMENT_LIMIT);
  const count = pumpLength(dice, 8);
  const whole = dice.onceIn(2)
    ? jpegWith(...Array.from({ length: count }, () => [0xc0 + dice.below(64), content()] as const))
    : pngWith(...Array.from({ length: count }, () => [dice.of(TYPES), content()] as const));
  const bytes = whole.subarray(0, MAX_PHOTO_BYTES);
  for (let times = dice.below(4); times > 0; times--) bytes[dice.below(bytes.length)] = dice.below(256);
  return bytes;
}

/** Parsers of directory values, which are often written by hand. */
export const readers: readonly FuzzedReader[] = [
  fuzzedReader('directory: entries of people', entry, (read) => entries.read(read)),
  fuzzedReader('directory: telephone numbers', (dice) => pumpString(dice, VALUE_LIMIT), parsePhone),
  fuzzedReader('directory: photos', photo, photoIn),
];
