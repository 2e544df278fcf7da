import { IdentityHiding } from './index.js';

const hiding = new IdentityHiding('a seed of enough length');
/** The maximum number of errors of a call, each with the longest text that a record may have. */
const ERRORS = 100;
const LONGEST_TEXT = 32_768;

interface FatCall {
  readonly callId: string;
  readonly parties: readonly { readonly uri: string }[];
  readonly errors: readonly { readonly diagnostics: { readonly text: string } }[];
}

function fatCall(text: (n: number) => string): FatCall {
  const errors = Array.from({ length: ERRORS }, (_, n) => ({ diagnostics: { text: text(n) } }));
  return { callId: 'a1@192.0.2.1', parties: [{ uri: 'sip:anna@a.test' }], errors };
}

/** Different pieces, so that no cached result can be used. */
function pieces(make: (word: string) => string): (n: number) => string {
  return (n) => {
    let text = `${n};`;
    for (let word = n * LONGEST_TEXT; text.length < LONGEST_TEXT; word++) text += make(word.toString(36));
    return text.slice(0, LONGEST_TEXT);
  };
}

describe('the hidden amount of text of one record or call', () => {
  it.each([
    ['pairs', pieces((word) => `${word}=${word};`)],
    ['words', pieces((word) => `${word};`)],
    ['addresses', pieces((word) => `${word}@b `)],
    ['telephone numbers', pieces((word) => `+1${Number.parseInt(word, 36) + 1_000_000} `)],
    ['the same pair', (n: number): string => `${n};${'a=b;'.repeat(LONGEST_TEXT / 4)}`],
    ['the same text', (): string => 'a;'.repeat(LONGEST_TEXT / 2)],
  ])('needs little time and space for many %s', (_what, text) => {
    const call = fatCall(text);
    const begun = process.threadCpuUsage();
    const hidden = new IdentityHiding('a seed of enough length').data(call);
    const { user, system } = process.threadCpuUsage(begun);
    // About 30 ms; hiding all of it would take 10 seconds.
    expect((user + system) / 1_000).toBeLessThan(500);
    expect(JSON.stringify(hidden).length).toBeLessThan(400_000);
    expect(hidden.callId).toBe(call.callId);
    expect(hidden.parties[0]?.uri).toBe(`sip:${hiding.token('anna')}@a.test`);
    expect(hidden.errors[0]?.diagnostics.text).toMatch(/… \(cut, \d+ characters\)$/);
    expect(hidden.errors.at(-1)?.diagnostics.text).toMatch(/… \(cut, \d+ characters\)$/);
  });

  it('includes all texts of real calls', () => {
    const end = (n: number): object => ({
      uri: `sip:person.of.some.department.${n}@department.example.test`,
      contact: `<sip:person.of.some.department.${n}@192.0.2.${n}:5061;transport=tls;ms-opaque=${n}a8f1c2d3e4b5f60>`,
      userAgent: 'UCCAPI/16.0.4266.1001 OC/16.0.4266.1001 (Skype for Business)',
      ip: `192.0.2.${n}`,
      id: `5f3a90c1${n}`,
    });
    const parties = Array.from({ length: 64 }, (_, n) => end(n));
    const streams = parties.map((from) => ({ from, to: parties[0] }));
    const text = '51004; reason="Action initiated by user"; source="fe1.example.test"; UserUri="sip:anna@example.test"';
    const errors = Array.from({ length: 20 }, () => ({ diagnostics: { code: 51004, text } }));
    const call = { parties, streams, errors, quality: streams };
    expect(JSON.stringify(hiding.data(call))).not.toContain('(cut');
  });

  it.each([0, 1, 2, 3, 4, 5])('ends between words, so that no part of a number is shown (%i)', (shift) => {
    // Short numbers are shown in this field, long ones are not.
    const via = `${'1'.repeat(shift)} ${'14255550 '.repeat(300)}`;
    const shown = hiding.data({ via }).via;
    expect(shown).toMatch(/… \(cut, \d+ characters\)$/);
    expect(shown).not.toMatch(/142/);
  });

  it('gives all names over the limit the same name', () => {
    const extensions = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`Anna${n}`, `Anna ${n}`]));
    const shown = hiding.data({ further: extensions, state: 'ended' });
    expect(Object.keys(shown.further)).toContain('hidden-cut');
    expect(JSON.stringify(shown)).not.toMatch(/anna/i);
    expect(shown.state).toBe('ended');
  });

  it('may be nothing', () => {
    const outline = hiding.outline(fatCall(() => 'Anna'));
    expect(outline.callId).toBe('a1@192.0.2.1');
    expect(outline.errors[0]?.diagnostics.text).toBe('… (cut, 4 characters)');
    expect(outline.parties[0]?.uri).toBe('… (cut, 15 characters)');
  });
});
