import { IdentityHiding } from '@ringdown/identity-hiding';
import { plantedMessage } from '@ringdown/identity-hiding/test/planted-message.js';
import * as fc from 'fast-check';
import type { StoredMessage } from './call-message.js';
import { mergeCaptures } from './merge-captures.js';
import { asPcap, asText, messageItem } from './message-forms.js';
import { MessageViews } from './message-views.js';

const views = new MessageViews(new IdentityHiding('a seed of the test for messages'));
const AT = Date.parse('2026-03-02T10:00:00Z') * 1_000;
const [SENDER_REPORT, DESCRIPTION, GOODBYE, APPLICATION] = [200, 202, 203, 204];

/** One packet of RTCP: a header, a source and more, padded to words. */
function rtcp(type: number, count: number, content: Buffer): Buffer {
  const rest = Buffer.alloc(-content.length & 3);
  const header = Buffer.from([0x80 | count, type, 0, 0, 0, 0, 0, 1]);
  header.writeUInt16BE((header.length + content.length + rest.length) / 4 - 1, 2);
  return Buffer.concat([header, content, rest]);
}

/** A report with an extension, a description of its source, the reason of a goodbye, and an application's own packet. */
function compound(secret: string): Buffer {
  const text = Buffer.from(secret);
  const item = Buffer.concat([Buffer.from([1, text.length]), text]);
  return Buffer.concat([
    rtcp(SENDER_REPORT, 0, Buffer.concat([Buffer.alloc(20), text])),
    rtcp(DESCRIPTION, 1, Buffer.concat([item, Buffer.alloc(1)])),
    rtcp(GOODBYE, 1, Buffer.concat([Buffer.from([text.length]), text])),
    rtcp(APPLICATION, 0, Buffer.concat([Buffer.from('user'), text])),
  ]);
}

function stored(callId: string, content: 'sip' | 'rtcp', payload: Buffer): StoredMessage {
  const [source, destination] = [
    { ip: '192.0.2.10', port: 5060 },
    { ip: '2001:db8::1', port: 5060 },
  ];
  return { callId, at: AT, frontEnd: 'fe1.example.test', point: 'p1', source, destination, content, payload };
}

/** Everything that is in the forms, as text. */
async function formsOf(captures: readonly StoredMessage[]): Promise<Record<'json' | 'text' | 'pcap', string>> {
  const shown = await views.of(mergeCaptures(captures), false);
  const items = shown.map(messageItem);
  const bytes = items.map((item) => Buffer.from(item.bytes ?? '', 'base64').toString('latin1'));
  return {
    json: [JSON.stringify(items), ...bytes].join('\n').toLowerCase(),
    text: asText(shown).toLowerCase(),
    pcap: asPcap(shown).toString('latin1').toLowerCase(),
  };
}

describe('messages for an operator without access to users', () => {
  it('contain no user, number, display name or session name in JSON, text and pcap', async () => {
    await fc.assert(
      fc.asyncProperty(plantedMessage, async ({ secret, text }) => {
        const forms = await formsOf([
          stored(`${secret}@192.0.2.9`, 'sip', Buffer.from(text)),
          stored(`${secret}@192.0.2.9`, 'rtcp', compound(secret)),
        ]);
        for (const form of Object.values(forms)) expect(form).not.toContain(secret.toLowerCase());
        expect(forms.text).not.toContain(Buffer.from(secret).toString('hex'));
      }),
      { numRuns: 2_000 },
    );
  });

  it('still contain each message and each report', async () => {
    const { json, text, pcap } = await formsOf([
      stored('c1', 'sip', Buffer.from('BYE sip:ben@example.test SIP/2.0\r\nCSeq: 2 BYE\r\n\r\n')),
      stored('c1', 'rtcp', compound('ben')),
    ]);
    for (const form of [json, text, pcap]) expect(form).toContain('cseq: 2 bye');
    const report = Buffer.concat([Buffer.from([0x80, SENDER_REPORT, 0, 6, 0, 0, 0, 1]), Buffer.alloc(20)]);
    expect(text).toContain(`rtcp ${report.toString('hex')}\n`);
    expect(pcap).toContain(report.toString('latin1').toLowerCase());
  });

  it('have ids that cannot be computed from what was captured', async () => {
    const merged = mergeCaptures([stored('c1', 'sip', Buffer.from('BYE sip:ben@example.test SIP/2.0\r\n\r\n'))]);
    const [[shown], [again]] = [await views.of(merged, false), await views.of(merged, false)];
    expect(shown?.id).toMatch(/^[\dA-F]{16}$/);
    expect(shown?.id).toBe(again?.id);
    expect(merged[0]?.id).not.toContain(shown?.id.toLowerCase());
  });
});
