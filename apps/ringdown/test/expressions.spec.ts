import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** The compiled file is in `dist/test`. */
const script = fileURLToPath(new URL('../../../../scripts/expressions/check-expressions.mjs', import.meta.url));
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ringdown-expressions-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** The output of `npm run check:expressions` for a source with this content. */
async function check(source: string, ...options: string[]): Promise<{ code: number | null; output: string }> {
  const sources = join(folder, 'apps', 'sender', 'src');
  await mkdir(sources, { recursive: true });
  await writeFile(join(sources, 'reader.ts'), source);
  const child = spawn(process.execPath, [script, folder, ...options], { stdio: ['ignore', 'ignore', 'pipe'] });
  const [output, [code]] = await Promise.all([text(child.stderr), once(child, 'close') as Promise<[number | null]>]);
  return { code, output };
}

describe('the check of regular expressions', () => {
  it('accepts expressions that take linear time', async () => {
    const source = 'export const [A, B] = [/^[a-z]{1,8}=[^;]*$/, new RegExp(String.raw`^\\d+$`, "i")];';
    expect(await check(source)).toMatchObject({ code: 0 });
  });

  it.each([
    ['a quadratic literal', String.raw`export const A = /\w+=x/;`, 'not linear'],
    ['an exponential literal', 'export const A = /^(a+)+$/;', 'not linear'],
    ['a literal with lookbehind', String.raw`export const A = /(?<!-)\w+=x/;`, 'not linear'],
    ['a text for RegExp', String.raw`export const A = new RegExp('\\s+$');`, 'not linear'],
    ['concatenated constants', String.raw`const S = '\\s+'; export const A = new RegExp(S + '$');`, 'not linear'],
    ['a call without new', String.raw`export const A = RegExp(String.raw` + '`\\s+$`);', 'not linear'],
    ['a text that becomes an expression', String.raw`export const a = (b: string) => b.match('\\s+$');`, 'not linear'],
    ['such a text with a dynamic part', 'export const a = (b: string) => b.search(`${b}+`);', 'made at run time'],
    ['an expression known at run time', 'export const a = (b: string) => new RegExp(b);', 'made at run time'],
    ['a normalization of any text', `export const a = (b: string) => b.normalize('NFC');`, 'quadratic time'],
  ])('rejects %s', async (_what, source, problem) => {
    const { code, output } = await check(source);
    expect([code, output]).toEqual([1, expect.stringContaining(problem)]);
    expect(output).toContain('apps/sender/src/reader.ts:1');
  });
});

describe('an exception', () => {
  const code = 'new RegExp(b)';
  const exception = { file: 'apps/sender/src/reader.ts', code, example: ['^a$', ''] };

  async function checkWith(
    fields: object,
    table = 'MADE_AT_RUN_TIME',
  ): Promise<{ code: number | null; output: string }> {
    const tables = {
      MADE_AT_RUN_TIME: [],
      SUPER_LINEAR: [],
      QUADRATIC_CALLS: [],
      [table]: [{ ...exception, ...fields }],
    };
    const file = join(folder, 'exceptions.mjs');
    const lines = Object.entries(tables).map(
      ([name, entries]) => `export const ${name} = ${JSON.stringify(entries)};\n`,
    );
    await writeFile(file, lines.join(''));
    return check(`export const a = (b: string) => ${code};`, '--exceptions', file);
  }

  it('with a bound and a reason is accepted', async () => {
    const fields = { bound: 'ten letters', reason: 'only the source says what' };
    expect(await checkWith(fields)).toMatchObject({ code: 0 });
  });

  it.each(['MADE_AT_RUN_TIME', 'SUPER_LINEAR', 'QUADRATIC_CALLS'])(
    'of %s without a bound is rejected',
    async (table) => {
      const { code: ended, output } = await checkWith({ reason: 'only the source says what' }, table);
      expect([ended, output]).toEqual([
        1,
        expect.stringContaining(`apps/sender/src/reader.ts: the exception ${code} has no bound`),
      ]);
    },
  );

  it('without a reason is rejected', async () => {
    const { code: ended, output } = await checkWith({ bound: 'ten letters', reason: ' ' });
    expect([ended, output]).toEqual([1, expect.stringContaining('has no reason')]);
  });
});
