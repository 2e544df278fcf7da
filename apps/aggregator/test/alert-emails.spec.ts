import { certificate, writeCertificate } from '@ringdown/feed-client/test/certificates.js';
import { eventually } from '@ringdown/testing/eventually';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadReceivers } from '../src/alert-receivers/load-receivers.js';
import type { AlertReceiver } from '../src/alert-receivers/receivers.js';
import type { AlertNotice } from '../src/alerts/delivery/alert-notice.js';
import { sendNotice } from '../src/alerts/delivery/send-notice.js';
import { mailHeader, MailServer } from './mail-server.js';

const PASSWORD = 'password of this test';
const NOTICE: AlertNotice = {
  id: 'a1-firing',
  alertId: 'a1',
  state: 'firing',
  rule: { id: 'r1', name: 'Bad calls', severity: 'warning' },
  scope: { site: 'Bonn' },
  value: 0.4,
  limit: 0.2,
  unit: 'ratio',
  calls: 25,
  summary: 'The share of bad calls (site Bonn) is 40 % in 25 calls; the limit is above 20 %.',
  link: 'https://uc.example.test/console/calls?site=Bonn',
  startsAt: '2026-11-25T10:00:00.000Z',
  endsAt: null,
};

describe('e-mail about alerts', () => {
  let folder: string;
  let caFile: string;
  let starttls: MailServer;
  let implicit: MailServer;
  let plain: MailServer;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ringdown-mail-'));
    const [cert, key] = writeCertificate(folder, 'localhost', await certificate('localhost'));
    caFile = cert;
    const options = { folder, password: PASSWORD };
    starttls = await MailServer.create({ ...options, tls: ['--tlscert', cert, '--tlskey', key] });
    implicit = await MailServer.create({ ...options, tls: ['--smtpscert', cert, '--smtpskey', key] });
    plain = await MailServer.create(options);
    await Promise.all([starttls, implicit, plain].map((server) => server.start()));
  });
  afterAll(async () => {
    await Promise.all([starttls, implicit, plain].map((server) => server.stop()));
    rmSync(folder, { recursive: true, force: true });
  });

  /** As the settings read it. */
  const receiver = ({ port }: { readonly port: number }, change: object = {}): AlertReceiver => {
    const file = join(folder, 'receivers.json');
    const mail = { name: 'mail', kind: 'email', host: 'localhost', port, caFile };
    const addresses = { from: 'ringdown@example.test', to: 'on-call@example.test' };
    const login = { user: 'ringdown', password: PASSWORD };
    writeFileSync(file, JSON.stringify({ receivers: [{ ...mail, ...login, ...addresses, ...change }] }));
    const [loaded] = loadReceivers(file);
    if (loaded === undefined) throw new Error('no receiver');
    return loaded;
  };
  const WITHOUT_TLS = { tls: 'none', user: undefined, password: undefined };

  it('is sent with STARTTLS and the password, with a Message-ID that repeats have too', async () => {
    const before = starttls.accepted.length;
    expect(await sendNotice(receiver(starttls), NOTICE)).toEqual({ ok: true });
    expect(await sendNotice(receiver(starttls), NOTICE)).toEqual({ ok: true });
    const [first, repeat] = starttls.accepted.slice(before);
    if (first === undefined || repeat === undefined) throw new Error('a message is missing');
    expect(first).toMatchObject({
      from: 'ringdown@example.test',
      to: ['on-call@example.test'],
      tls: true,
      user: 'ringdown',
    });
    expect(mailHeader(first, 'Subject')).toBe('[warning] Bad calls');
    expect(mailHeader(first, 'To')).toBe('on-call@example.test');
    expect(mailHeader(first, 'Ringdown-Notice')).toBe('a1-firing');
    expect(mailHeader(first, 'Auto-Submitted')).toBe('auto-generated');
    // Quoted-printable.
    expect(first.content.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')).toContain(NOTICE.link);
    expect(mailHeader(first, 'Message-ID')).toBe('<a1-firing@example.test>');
    expect(mailHeader(repeat, 'Message-ID')).toBe('<a1-firing@example.test>');
  });

  it('answers the message of the beginning when the alert is resolved', async () => {
    const resolved = { ...NOTICE, id: 'a1-resolved', state: 'resolved', endsAt: '2026-11-25T11:00:00.000Z' } as const;
    expect(await sendNotice(receiver(starttls), resolved)).toEqual({ ok: true });
    const mail = starttls.accepted.at(-1);
    expect(mail && mailHeader(mail, 'In-Reply-To')).toBe('<a1-firing@example.test>');
    expect(mail && mailHeader(mail, 'Subject')).toBe('[resolved] Bad calls');
  });

  it('is sent with TLS from the first byte, and without TLS, where the file demands so', async () => {
    // aiosmtpd allows AUTH after STARTTLS only.
    const withoutLogin = { user: undefined, password: undefined };
    expect(await sendNotice(receiver(implicit, { tls: 'implicit', ...withoutLogin }), NOTICE)).toEqual({ ok: true });
    expect(await sendNotice(receiver(plain, WITHOUT_TLS), NOTICE)).toEqual({ ok: true });
    expect([implicit.accepted.length, plain.accepted.length]).toEqual([1, 1]);
  });

  it.each([
    [
      'wrong password',
      { password: 'wrong' },
      'the mail server refused the user or the password (535)',
      { code: 'mail-sign-in', detail: '535' },
    ],
    [
      'refused recipient',
      { to: 'refused@example.test' },
      'the mail server refused the sender or the recipient (550)',
      { code: 'mail-address', detail: '550' },
    ],
    [
      'authentication required',
      { to: 'members@example.test', user: undefined, password: undefined },
      'the mail server refused the sender or the recipient (530)',
      { code: 'mail-address', detail: '530' },
    ],
    [
      'unknown certificate',
      { caFile: undefined },
      'the mail server cannot be reached: ESOCKET',
      { code: 'unreachable', detail: 'ESOCKET' },
    ],
  ])('fails with a reason without settings (%s)', async (_case, change, reason, failure) => {
    const before = starttls.accepted.length;
    const delivery = await sendNotice(receiver(starttls, change), NOTICE);
    expect(delivery).toEqual({ ok: false, reason, failure });
    expect(JSON.stringify(delivery)).not.toMatch(/example|ringdown|localhost|wrong/);
    expect(starttls.accepted).toHaveLength(before);
  });

  it('is not sent where TLS is required and the server has none, or the other way round', async () => {
    const before = [plain.accepted.length, starttls.accepted.length];
    expect(await sendNotice(receiver(plain), NOTICE)).toEqual({
      ok: false,
      reason: 'the mail server does not begin TLS (454)',
      failure: { code: 'mail-tls', detail: '454' },
    });
    expect(await sendNotice(receiver(starttls, WITHOUT_TLS), NOTICE)).toMatchObject({ ok: false });
    expect([plain.accepted.length, starttls.accepted.length]).toEqual(before);
  });

  it('has a time limit for a slow server and for one that never greets', async () => {
    // It reads, so that it notices the end of the connection.
    const silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = silent.address();
    if (address === null || typeof address === 'string') throw new Error('the server does not listen');
    const late = { ok: false, reason: 'no reply within the time limit', failure: { code: 'no-reply', detail: null } };
    expect(await sendNotice(receiver(starttls, { to: 'slow@example.test' }), NOTICE, 3_000)).toEqual(late);
    expect(await sendNotice(receiver(address, { host: '127.0.0.1' }), NOTICE, 1_000)).toEqual(late);
    silent.close();
  });

  it('fails with the code of a server that greets with a refusal', async () => {
    const refusing = createServer((socket) => socket.end('554 no service for relay.example.test\r\n'));
    refusing.listen(0, '127.0.0.1');
    await once(refusing, 'listening');
    const address = refusing.address();
    if (address === null || typeof address === 'string') throw new Error('the server does not listen');
    const delivery = await sendNotice(receiver(address, { host: '127.0.0.1' }), NOTICE);
    refusing.close();
    expect(delivery).toEqual({
      ok: false,
      reason: 'the mail server refused the connection (554)',
      failure: { code: 'mail-refused', detail: '554' },
    });
  });

  it('fails while the server is away and succeeds when it is back', async () => {
    await plain.stop();
    const target = receiver(plain, WITHOUT_TLS);
    expect(await sendNotice(target, NOTICE)).toMatchObject({ ok: false, reason: expect.stringContaining('reached') });
    await plain.start();
    expect(await eventually('a delivery', async () => (await sendNotice(target, NOTICE)).ok)).toBe(true);
  });

  it('keeps its headers whatever the name of a rule contains', async () => {
    const names = [
      'x\r\nBcc: victim@example.test',
      'x\n\nbody',
      '\u0000\u0085\u2028',
      'Ж'.repeat(100),
      '=?utf-8?q?x?=',
    ];
    for (const name of names) {
      const before = plain.accepted.length;
      const notice = { ...NOTICE, rule: { ...NOTICE.rule, name } };
      expect(await sendNotice(receiver(plain, WITHOUT_TLS), notice)).toEqual({ ok: true });
      const [mail] = plain.accepted.slice(before);
      if (mail === undefined) throw new Error('the message is missing');
      expect(mail.to).toEqual(['on-call@example.test']);
      expect(mailHeader(mail, 'Bcc')).toBeUndefined();
      expect(mailHeader(mail, 'Message-ID')).toBe('<a1-firing@example.test>');
    }
  });
});
