import { canonicalName } from '@ringdown/directory';
import { InterfaceError } from '@ringdown/web-server/errors';
import type { Dice } from '@ringdown/testing/fuzz/dice';
import { fuzzedReader, type FuzzedReader } from '@ringdown/testing/fuzz/fuzzed-reader';
import { pumpString } from '@ringdown/testing/fuzz/pumps';
import { defaultProfile } from '@ringdown/vendor-profile';
import { signInName } from '../../src/sign-in/sign-in-name.js';
import { readGrant } from '../../src/sign-in/token-request.js';

/** The limit of the body of a token request. */
const BODY_LIMIT = 8_192;
const NAMES = ['grant_type', 'username', 'password', 'scope', 'unknown'];

function form(dice: Dice): string {
  const given = NAMES.map((name) => [name, dice.onceIn(3) ? pumpString(dice, BODY_LIMIT) : 'password'] as const);
  const pairs = given.map(
    ([name, value]) => `${name}=${dice.onceIn(2) ? encodeURIComponent(value.toWellFormed()) : value}`,
  );
  return dice.onceIn(6) ? pumpString(dice, BODY_LIMIT) : pairs.join('&');
}

function readToken(body: string): void {
  const grant = readGrant(new Map(new URLSearchParams(body)), defaultProfile.web);
  if (grant.type === 'password') signInName(grant.username, ['example.test']);
}

export const readers: readonly FuzzedReader[] = [
  fuzzedReader('sign-in: token requests', form, readToken, [InterfaceError]),
  fuzzedReader(
    'sign-in: names',
    (dice) => pumpString(dice, BODY_LIMIT),
    (name) => [signInName(name, ['example.test']), canonicalName(name)],
  ),
];
