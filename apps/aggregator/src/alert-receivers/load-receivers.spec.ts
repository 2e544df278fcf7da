import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadReceivers } from './load-receivers.js';

const WEBHOOK = {
  name: 'pager',
  kind: 'webhook',
  url: 'https://user:hidden@pager.example.test/x',
  secret: 'hidden '.repeat(4),
};

describe('the file of receivers', () => {
  let folder: string;
  let file: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'ringdown-receivers-'));
    file = join(folder, 'receivers.json');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const load = (text: string): ReturnType<typeof loadReceivers> => {
    writeFileSync(file, text);
    return loadReceivers(file);
  };

  it('has webhooks and Alertmanagers', () => {
    const alertmanager = { name: 'am', kind: 'alertmanager', url: 'http://127.0.0.1:9093/prefix/' };
    const loaded = load(JSON.stringify({ receivers: [WEBHOOK, alertmanager] }));
    expect(loaded.map(({ name, kind, url }) => [name, kind, url.host])).toEqual([
      ['pager', 'webhook', 'pager.example.test'],
      ['am', 'alertmanager', '127.0.0.1:9093'],
    ]);
    expect(load('{"receivers": []}')).toEqual([]);
  });

  it.each([
    ['{', 'must be a JSON file'],
    ['[]', 'must contain an object with a list'],
    [{ receivers: {} }, 'must contain an object with a list'],
    [{ receivers: ['x'] }, 'needs an object as receivers[0]'],
    [{ receivers: [{ ...WEBHOOK, name: '' }] }, 'receivers[0].name'],
    [{ receivers: [{ ...WEBHOOK, name: 'a b' }] }, 'receivers[0].name'],
    [{ receivers: [{ ...WEBHOOK, kind: 'pigeon' }] }, 'receivers[0].kind'],
    [{ receivers: [WEBHOOK, { ...WEBHOOK, name: 'b', url: 'ftp://hidden' }] }, 'receivers[1].url'],
    [{ receivers: [{ ...WEBHOOK, url: 'hidden' }] }, 'receivers[0].url'],
    [{ receivers: [{ ...WEBHOOK, secret: 'hidden' }] }, 'receivers[0].secret'],
    [{ receivers: [{ ...WEBHOOK, secret: undefined }] }, 'receivers[0].secret'],
    [{ receivers: [{ ...WEBHOOK, color: 'hidden' }] }, '"color" in receivers[0]'],
    [{ receivers: [WEBHOOK, WEBHOOK] }, 'two receivers of the name pager'],
    [{ receivers: Array.from({ length: 51 }, (_, n) => ({ ...WEBHOOK, name: `r${n}` })) }, 'at most'],
  ])('is rejected with the place of what is wrong, and without its secrets (%#)', (content, problem) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    const failure = (): unknown => load(text);
    expect(failure).toThrow(problem);
    expect(failure).not.toThrow(/hidden/);
  });

  it('must exist', () => {
    expect(() => loadReceivers(join(folder, 'none.json'))).toThrow('must be a readable JSON file');
  });
});
