import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FrontEndParameters } from './front-end-parameters.js';

describe('the parameters of front ends', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-parameters-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  function read(content: unknown): FrontEndParameters {
    const file = join(folder, 'parameters.json');
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return FrontEndParameters.read(file);
  }

  const parameters = read({
    parameters: { maxopen: 100, sendrawsdp: false, requester: 'a&b' },
    pools: { 'Pool1.example.test': { maxopen: 50, hidepii: true } },
    frontEnds: { 'fe1.example.test': { maxopen: 25 } },
  });

  it.each<[string | undefined, string | undefined, Record<string, string>]>([
    [undefined, undefined, { maxopen: '100', sendrawsdp: 'False', requester: 'a&b' }],
    ['fe9', 'pool9', { maxopen: '100', sendrawsdp: 'False', requester: 'a&b' }],
    ['fe9', 'POOL1.example.test', { maxopen: '50', sendrawsdp: 'False', requester: 'a&b', hidepii: 'True' }],
    ['FE1.example.test', undefined, { maxopen: '25', sendrawsdp: 'False', requester: 'a&b' }],
    [
      'fe1.example.test',
      'pool1.example.test',
      { maxopen: '25', sendrawsdp: 'False', requester: 'a&b', hidepii: 'True' },
    ],
  ])('for %s in %s override those of its pool, which override those for all', (frontEnd, pool, expected) => {
    expect(Object.fromEntries(parameters.for(frontEnd, pool))).toEqual(expected);
  });

  it('may be empty', () => {
    expect(FrontEndParameters.none.for('fe1', 'pool1').size).toBe(0);
    expect(read({}).for('fe1', undefined).size).toBe(0);
  });

  it('do not include inherited properties', () => {
    expect(parameters.for('constructor', '__proto__').size).toBe(3);
    expect(() => read('{"parameters":{"__proto__":"x"}}')).toThrow('with an invalid name');
  });

  it.each([
    ['{', 'must be a readable JSON file'],
    ['[]', 'must contain an object at "/"'],
    [{ frontends: {} }, 'has an unknown key "/frontends"'],
    [{ parameters: [] }, 'must contain an object at "/parameters"'],
    [{ frontEnds: { fe1: 5 } }, 'must contain an object at "/frontEnds/fe1"'],
    [{ pools: { a: {}, A: {} } }, 'names "/pools/A" twice'],
    [{ parameters: { 'max open': 1 } }, 'with an invalid name: "max open"'],
    [
      { parameters: { maxopen: null } },
      'needs a text of at most 2048 characters, a number, true or false at "/parameters/maxopen"',
    ],
    [{ parameters: { maxopen: 'a\u0001' } }, 'at "/parameters/maxopen"'],
    [{ parameters: { maxopen: '\ud800' } }, 'at "/parameters/maxopen"'],
    [{ parameters: { maxopen: 'x'.repeat(2_049) } }, 'at "/parameters/maxopen"'],
  ])('are rejected when the file is %j', (content, reason) => {
    expect(() => read(content)).toThrow(reason);
  });
});
