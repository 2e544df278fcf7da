import { normalize } from '@ringdown/linear-text';
import type { SettingValues } from '@ringdown/settings';
import type { Person } from '../people/person.js';
import { comparable, readBadPasswords, type BadPasswords } from './bad-passwords.js';
import type { passwordSettings } from './password-settings.js';

/** The rules for new passwords, after NIST SP 800-63B: no rules for kinds of characters, nothing is cut off. */
export interface PasswordRules {
  readonly minLength: number;
  /** In their {@link comparable} form. */
  readonly bad: BadPasswords;
}

/** Names that a password may not consist of. */
export type PasswordOwner = Pick<Person, 'username' | 'name' | 'sipAddress' | 'mail'>;

/** Longer ones cost a reader time, and are less than the token service accepts. */
export const MAX_PASSWORD_LENGTH = 256;
/** A password with fewer different characters is guessed at once. */
const MIN_DIFFERENT = 4;
/** Shorter names occur in other words, too. */
const MIN_NAME = 3;
/** What a password has at least beside names of its owner. */
const MIN_BESIDE_NAMES = 6;

const KNOWN = 'is on the list of known passwords, or is one of them with something simple after it';

/** Throws `SettingsError` for a wrong file of bad passwords. */
export async function readPasswordRules(settings: SettingValues<typeof passwordSettings>): Promise<PasswordRules> {
  return { minLength: settings.passwordMinLength, bad: await readBadPasswords(settings.badPasswordsFile) };
}

/** Stable names of the rules, for clients that have their own words for them. */
export type PasswordRuleCode = 'length' | 'characters' | 'known' | 'monotonous' | 'names';

export interface PasswordRule {
  readonly code: PasswordRuleCode;
  /** Completes "a new password …", or "the password …" of one that breaks the rule. */
  readonly text: string;
}

export function describePasswordRules({ minLength }: Pick<PasswordRules, 'minLength'>): readonly PasswordRule[] {
  return [
    { code: 'length', text: `has ${minLength} to ${MAX_PASSWORD_LENGTH} characters` },
    { code: 'characters', text: 'may have spaces and all letters, but no control characters' },
    { code: 'known', text: 'is not on the list of known passwords, also not with digits or signs after it' },
    { code: 'monotonous', text: 'does not repeat a few characters or count up or down' },
    { code: 'names', text: 'is not made of names of its owner' },
  ];
}

/** The rule that a password breaks; undefined if it is allowed. */
export function passwordProblem(
  password: string,
  owner: PasswordOwner,
  { minLength, bad }: PasswordRules,
): PasswordRule | undefined {
  const { length } = Array.from(normalize(password.slice(0, 4 * MAX_PASSWORD_LENGTH), 'NFC'));
  if (length < minLength) return { code: 'length', text: `must have at least ${minLength} characters` };
  if (length > MAX_PASSWORD_LENGTH) {
    return { code: 'length', text: `must have at most ${MAX_PASSWORD_LENGTH} characters` };
  }
  if (/\p{Cc}|\p{Cs}/u.test(password)) {
    return { code: 'characters', text: 'must not have control characters' };
  }
  const text = comparable(password);
  if (isMonotonous(text)) {
    return { code: 'monotonous', text: 'must not repeat a few characters or count up or down' };
  }
  if (isKnown(text, bad)) {
    return { code: 'known', text: KNOWN };
  }
  if (isMadeOfNames(text, owner)) return { code: 'names', text: 'must not be made of names of its owner' };
  return undefined;
}

function isMonotonous(text: string): boolean {
  const characters = Array.from(text);
  if (new Set(characters).size < MIN_DIFFERENT) return true;
  const codes = characters.map((character) => character.codePointAt(0) ?? 0);
  const steps = new Set(codes.slice(1).map((code, index) => stepTo(code, codes[index] ?? 0)));
  const [step] = steps;
  return steps.size === 1 && Math.abs(step ?? 0) === 1;
}

/** The step between two characters; 0 follows 9. */
function stepTo(code: number, before: number): number {
  const distance = code - before;
  return Math.abs(distance) === 9 && isDigit(code) && isDigit(before) ? -Math.sign(distance) : distance;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Also a known one that is repeated, or that has digits and signs after it. */
function isKnown(text: string, bad: BadPasswords): boolean {
  const period = `${text}${text}`.indexOf(text, 1);
  const block = text.slice(0, period);
  return (
    [text, block, withoutEnd(text), withoutEnd(block)].some((word) => bad.has(word)) || block.length < MIN_DIFFERENT
  );
}

/** Without digits, signs and spaces at its end. */
function withoutEnd(text: string): string {
  const characters = Array.from(text);
  return characters.slice(0, characters.findLastIndex((character) => /\p{L}/u.test(character)) + 1).join('');
}

function isMadeOfNames(text: string, { username, name, sipAddress, mail }: PasswordOwner): boolean {
  const names = [username, sipAddress, mail ?? '', name].flatMap((each) => comparable(each).split(/[^\p{L}\p{N}]/u));
  const words = new Set(names.filter((word) => word.length >= MIN_NAME));
  let rest = text;
  for (const word of [...words].toSorted((one, other) => other.length - one.length)) rest = rest.replaceAll(word, '');
  return rest !== text && Array.from(rest).length < MIN_BESIDE_NAMES;
}
