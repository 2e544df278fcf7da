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

const EMAIL = {
  name: 'mail',
  kind: 'email',
  host: 'mail.example.test',
  user: 'ringdown',
  password: 'hidden password',
  from: 'ringdown@example.test',
  to: 'on-call@example.test',
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

  it('has mail servers, with STARTTLS unless it names another way', () => {
    const plain = { ...EMAIL, name: 'plain', tls: 'none', user: undefined, password: undefined };
    const loaded = load(JSON.stringify({ receivers: [EMAIL, { ...EMAIL, name: 'tls', tls: 'implicit' }, plain] }));
    expect(loaded).toMatchObject([
      { kind: 'email', port: 587, tls: 'starttls', login: { user: 'ringdown' }, authorities: undefined },
      { kind: 'email', port: 465, tls: 'implicit' },
      { kind: 'email', port: 25, tls: 'none', login: undefined },
    ]);
  });

  it('has webhooks and Alertmanagers', () => {
    const alertmanager = { name: 'am', kind: 'alertmanager', url: 'http://127.0.0.1:9093/prefix/' };
    const loaded = load(JSON.stringify({ receivers: [WEBHOOK, alertmanager] }));
    expect(loaded).toMatchObject([
      { name: 'pager', kind: 'webhook', url: { host: 'pager.example.test' } },
      { name: 'am', kind: 'alertmanager', url: { host: '127.0.0.1:9093' } },
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
    [{ receivers: [{ ...WEBHOOK, url: 'https://user:100%hidden@pager.example.test/' }] }, 'receivers[0].url'],
    [{ receivers: [{ kind: 'alertmanager', name: 'a', url: 'http://hid%den@am.example.test/' }] }, 'receivers[0].url'],
    [{ receivers: [{ ...WEBHOOK, secret: 'hidden' }] }, 'receivers[0].secret'],
    [{ receivers: [{ ...WEBHOOK, secret: undefined }] }, 'receivers[0].secret'],
    [{ receivers: [{ ...WEBHOOK, color: 'hidden' }] }, '"color" in receivers[0]'],
    [{ receivers: [{ ...EMAIL, host: 'hidden host' }] }, 'receivers[0].host'],
    [{ receivers: [{ ...EMAIL, port: 65_536 }] }, 'receivers[0].port'],
    [{ receivers: [{ ...EMAIL, port: '25' }] }, 'receivers[0].port'],
    [{ receivers: [{ ...EMAIL, tls: true }] }, 'receivers[0].tls'],
    [{ receivers: [{ ...EMAIL, tls: 'none' }] }, 'needs TLS for the password in receivers[0]'],
    [{ receivers: [{ ...EMAIL, password: undefined }] }, 'receivers[0].password'],
    [{ receivers: [{ ...EMAIL, user: '' }] }, 'receivers[0].user'],
    [{ receivers: [{ ...EMAIL, from: 'hidden' }] }, 'receivers[0].from'],
    [{ receivers: [{ ...EMAIL, to: 'a@example.test, hidden@example.test' }] }, 'receivers[0].to'],
    [{ receivers: [{ ...EMAIL, to: 'a@example.test\r\nBcc: hidden@example.test' }] }, 'receivers[0].to'],
    [{ receivers: [{ ...EMAIL, caFile: '/hidden' }] }, 'receivers[0].caFile'],
    [{ receivers: [{ ...EMAIL, secret: 'hidden' }] }, '"secret" in receivers[0]'],
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
