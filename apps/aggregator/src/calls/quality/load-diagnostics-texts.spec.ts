import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diagnosticsMeaning, type DiagnosticsTexts } from './diagnostics-texts.js';
import { loadDiagnosticsTexts } from './load-diagnostics-texts.js';

const folder = mkdtempSync(join(tmpdir(), 'ringdown-texts-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function load(content: unknown): DiagnosticsTexts {
  const file = join(folder, 'texts.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return loadDiagnosticsTexts(file);
}

describe('texts for ids of diagnostics', () => {
  it('are those of the id, else of its range', () => {
    const texts = loadDiagnosticsTexts('default');
    expect([51_004, 10_004, 99_999, undefined].map((code) => diagnosticsMeaning(code, texts))).toEqual([
      'A user ended or rejected the call',
      'Mediation server or gateway',
      undefined,
      undefined,
    ]);
  });

  it('are extended and replaced by a file; the smallest range counts', () => {
    const texts = load({ '10004': 'Gateway', '51004': 'User', '52000-52999': 'Media', '52090-52099': 'Link' });
    expect([10_004, 51_004, 52_001, 52_094, 7_035].map((code) => diagnosticsMeaning(code, texts))).toEqual([
      'Gateway',
      'User',
      'Media',
      'Link',
      'The conference is ending',
    ]);
  });

  it.each([
    ['{', 'must be "default" or a readable JSON file'],
    [[], 'must contain an object'],
    [{ x: 'a' }, 'has a key "x" that is not an id or a range'],
    [{ '2-1': 'a' }, 'has a range "2-1" that is empty'],
    [{ '1': '' }, 'needs a text of 1 to 200 characters at "1"'],
    [{ '1': 'a'.repeat(201) }, 'needs a text'],
    [Object.fromEntries(Array.from({ length: 5_001 }, (_, n) => [n, 'a'])), 'may have 5000 texts at most'],
  ])('are rejected in %j', (content, message) => {
    expect(() => load(content)).toThrow(message);
  });
});
