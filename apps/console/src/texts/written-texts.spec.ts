import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { modules, SOURCES } from './modules.js';
import { writtenTexts } from './written-texts.js';

describe('writtenTexts', () => {
  it.each([
    ['text of an element', '<p>No calls</p>', ['No calls']],
    ['text in an element, in lower case too', "<p>{busy ? 'sending' : `sent ${n}`}</p>", ['sending', 'sent {}']],
    ['attributes for people', '<a title="End" className="End of it" aria-label={`End ${x}`} />', ['End', 'End {}']],
    ['labels', "const views = [{ path: 'live', label: 'live' }]", ['live']],
    ['sentences anywhere', "fail('It did not work'); fail('Failed.')", ['It did not work', 'Failed.']],
    ['texts in handlers', "<a onClick={() => fail('Not now.')} />", ['Not now.']],
  ])('finds %s', (_, code, found) => {
    expect(writtenTexts(code).map(({ text }) => text)).toEqual(found);
  });

  it.each([
    ['names of the program', "import a from './a b.js'; if (key === 'Enter') post('call-id', 'POST')"],
    ['errors for developers', "throw new Error('no such root')"],
    ['types', "type Kind = 'First kind'"],
    ['commands and keys', '<p><code>npm run demo</code> <kbd>Enter</kbd> {3} <b>Ringdown</b></p>'],
    ['texts with the reason why not', "const scheme = 'Bearer'; // not shown: of the protocol"],
    ['modules with the reason why not', "// not shown: the protocol\nconst scheme = 'Bearer'"],
  ])('leaves %s', (_, code) => {
    expect(writtenTexts(code)).toEqual([]);
  });
});

describe('the texts of the console', () => {
  it('are in the catalogue', () => {
    const found = modules().flatMap((file) => textsInFile(file).map(({ line, text }) => `${file}:${line}: ${text}`));
    expect(found).toEqual([]);
  });
});

function textsInFile(file: string): ReturnType<typeof writtenTexts> {
  return writtenTexts(readFileSync(join(SOURCES, file), 'utf8'));
}
