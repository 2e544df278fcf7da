import { staff } from '@ringdown/testing/ldif';
import { startNats } from '@ringdown/testing/servers/nats';
import { Started } from '@ringdown/testing/started';
import { differenceInTime } from '@ringdown/testing/timing';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWithDirectory } from './directory-service.js';
import { postForm, type RunningService } from './running-service.js';

const LIMIT = 10;
const PEOPLE = 50;

/** Different texts that a directory accepts as the name of `p<number>`. */
function spellings(number: number): string[] {
  const digits = String(number);
  const wide = digits.replaceAll(/\d/g, (digit) => '０１２３４５６７８９'.charAt(Number(digit)));
  const circled = digits.replaceAll(/\d/g, (digit) => '⓪①②③④⑤⑥⑦⑧⑨'.charAt(Number(digit)));
  const letters = ['p', 'P', 'ｐ', 'Ｐ', 'ⓟ', 'Ⓟ', 'ℙ', 'ᵖ'];
  return letters.flatMap((letter) => [digits, wide, circled].map((written) => `${letter}${written}@example.test`));
}

describe('guessing the password of an account that has many names', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ringdown-spellings-'));
  const started = new Started();
  let service: RunningService;

  beforeAll(async () => {
    const nats = started.add(await startNats());
    const settings = { SIGN_IN_FAILURES: String(LIMIT), SIGN_INS_PER_ADDRESS: '100000' };
    ({ service } = await startWithDirectory(started, { natsUrl: nats.peopleUrl, dataDir, people: PEOPLE, settings }));
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(dataDir, { recursive: true });
  });

  async function signIn(username: string, password: string): Promise<[number, unknown]> {
    const answer = await postForm(service.base, { grant_type: 'password', username, password });
    return [answer.status, Object(await answer.json()).error];
  }

  async function mailOf(number: number): Promise<string> {
    const found = [...staff(PEOPLE)].find(({ dn }) => dn.startsWith(`uid=p${number},`));
    return String(found?.['mail']);
  }

  it('is blocked after ten guesses, however many spellings of the name there are', async () => {
    const names = spellings(7);
    for (const name of names.slice(0, LIMIT)) expect(await signIn(name, 'wrong')).toEqual([400, 'invalid_grant']);
    for (const name of names) expect((await signIn(name, 'password of p7'))[0]).toBe(429);
    expect((await signIn('p8@example.test', 'password of p8'))[0]).toBe(200);
  });

  it('is blocked after ten guesses over two names that only the directory knows to belong to one account', async () => {
    const mail = await mailOf(9);
    for (let i = 0; i < LIMIT; i++) {
      const name = i % 2 === 0 ? 'p9@example.test' : mail;
      expect(await signIn(name, 'wrong')).toEqual([400, 'invalid_grant']);
    }
    for (const name of ['p9@example.test', mail]) {
      expect(await signIn(name, 'password of p9')).toEqual([400, 'invalid_grant']);
    }
  });

  it('does not disclose whether a second name belongs to the blocked account, nor whether it exists', async () => {
    const mail = await mailOf(11);
    for (const name of ['p11@example.test', 'nobody@example.test']) {
      for (let i = 0; i < LIMIT; i++) await signIn(name, 'wrong');
      expect(await signIn(name, 'wrong')).toEqual([429, 'temporarily_unavailable']);
    }
    for (const name of [mail, 'nobody.else@example.test']) {
      expect(await signIn(name, 'wrong')).toEqual([400, 'invalid_grant']);
    }
  });

  it('starts a new count after the right password', async () => {
    const mail = await mailOf(12);
    for (let i = 0; i < LIMIT - 1; i++) await signIn('p12@example.test', 'wrong');
    expect((await signIn(mail, 'password of p12'))[0]).toBe(200);
    for (let i = 0; i < LIMIT - 1; i++) expect((await signIn(mail, 'wrong'))[0]).toBe(400);
    expect((await signIn(mail, 'password of p12'))[0]).toBe(200);
  });

  it('takes as long for a blocked account under another name as for an unknown name', async () => {
    const numbers = [20, 21, 22, 23, 24, 25, 26, 27];
    const mails = await Promise.all(numbers.map((number) => mailOf(number)));
    for (const number of numbers) {
      for (let i = 0; i < LIMIT; i++) await signIn(`p${number}@example.test`, 'wrong');
    }
    let number = 0;
    const apart = await differenceInTime({
      // One after another, so that none is tried ten times.
      one: async () => void (await signIn(mails[number % mails.length] ?? '', 'wrong')),
      other: async () => void (await signIn(`stranger${++number}@example.test`, 'wrong')),
      rounds: 8,
      atLeastMs: 4,
    });
    expect(apart).toBeLessThan(0.5);
  });
});
