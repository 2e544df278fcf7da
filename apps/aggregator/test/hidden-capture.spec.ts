import { IdentityHiding } from '@ringdown/identity-hiding';
import { messageOfHosts } from '@ringdown/identity-hiding/test/planted-message.js';
import { findProgram } from '@ringdown/testing/find-program';
import * as fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mergeCaptures } from '../src/traces/merge-captures.js';
import { asPcap } from '../src/traces/message-forms.js';
import { MessageViews } from '../src/traces/message-views.js';

const ADVICE = 'this test reads a capture with Wireshark (Debian: apt-get install tshark)';
const AT = Date.parse('2026-03-02T10:00:00Z') * 1_000;
const FIELDS = [
  'ip.src',
  'udp.dstport',
  'sip.Method',
  'sip.Via.sent-by.address',
  'sip.Via.sent-by.port',
  'sip.contact.host',
];
const views = new MessageViews(new IdentityHiding('a seed of the test for messages'));

/** The capture that an operator without access to users gets, as tshark reads it: a line of fields for each message. */
async function readByTshark(texts: readonly string[], fields: readonly string[]): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-capture-'));
  const [source, destination] = [
    { ip: '192.0.2.10', port: 5060 },
    { ip: '192.0.2.20', port: 5070 },
  ];
  const captures = texts.map((text, index) => ({
    callId: 'c1',
    at: AT + index,
    frontEnd: 'fe1',
    point: '',
    source,
    destination,
    content: 'sip' as const,
    payload: Buffer.from(text),
  }));
  try {
    const file = join(folder, 'call.pcap');
    writeFileSync(file, asPcap(await views.of(mergeCaptures(captures), false)));
    const options = ['-r', file, '-Y', 'sip', '-T', 'fields', ...fields.flatMap((field) => ['-e', field])];
    const read = execFileSync(findProgram('tshark', ADVICE), options, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return read.split('\n').filter(Boolean);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('a capture with hidden users', () => {
  it('is read by tshark, with the same mark for a host in Via and in Contact', async () => {
    const request = [
      'INVITE sip:ben@example.test SIP/2.0',
      'Via: SIP/2.0/UDP annas-phone.lan:5062;branch=z9hG4bKd9a4',
      'From: <sip:anna@example.test>;tag=5f3a90c1',
      'To: <sip:ben@example.test>',
      'Call-ID: 0123456789abcdef@192.0.2.9',
      'CSeq: 1 INVITE',
      'Contact: <sip:anna@annas-phone.lan:5062>',
      'Content-Length: 0',
      '',
      '',
    ].join('\r\n');
    const [line = '', ...others] = await readByTshark([request], FIELDS);
    const [from, to, method, host = '', port, contact] = line.split('\t');
    expect([others, from, to, method, port]).toEqual([[], '192.0.2.10', '5070', 'INVITE', '5062']);
    expect(host).toMatch(/^hidden-[\dA-F]{16}$/);
    expect(contact).toBe(host);
  });

  it('has every generated message, and no name of a host in what tshark reads of it', async () => {
    const planted = fc.sample(messageOfHosts, { numRuns: 100, seed: 17 });
    const read = await readByTshark(
      planted.map(({ text }, index) => text.replace('From:', `CSeq: ${index + 1} BYE\r\nFrom:`)),
      ['sip.CSeq.seq', 'sip.Via', 'sip.Contact', 'sip.Record-Route', 'sip.r-uri', 'sdp.owner'],
    );
    expect(read.map((line) => Number(line.split('\t', 1)[0]))).toEqual(planted.map((_, index) => index + 1));
    for (const { name } of planted) expect(read.join('\n').toLowerCase()).not.toContain(name);
  });
});
