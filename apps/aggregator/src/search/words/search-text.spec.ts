import * as fc from 'fast-check';
import { IdentityHiding } from '@ringdown/identity-hiding';
import { numberPairKeys, numberPairSearch } from '../keys/number-pairs.js';
import { foldText, searchText } from './search-text.js';
import { IN_PLACE_OF_PUNCTUATION, indexedWordPattern, wordPattern, PUNCTUATION, searchWords } from './search-words.js';
import type { Call } from '../../calls/call.js';

const hiding = new IdentityHiding('a seed for the tests of search texts');

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only the fields with texts matter here
const call = {
  callId: 'ABC-1@host.example.test',
  state: 'ended',
  frontEnds: ['fe1.example.test'],
  parties: [
    { uri: 'sip:Zoë@example.test', displayName: 'Zoë Bell', ip: '10.1.2.3', userAgent: 'Softphone/1.0', os: 'Windows' },
  ],
  streams: [{ from: { uri: 'sip:Zoë@example.test', relay: '192.0.2.9' }, verdict: 'good' }],
  errors: [{ phrase: 'Busy Here', diagnostics: { text: '7025; reason="Gateway down"; source="gw.example.test"' } }],
} as unknown as Call;

describe('the search text of a call', () => {
  it('has users only in the part for operators who see them', () => {
    const { shown, identity } = searchText(call, hiding);
    expect(identity.split('\n')).toEqual(expect.arrayContaining(['sip:zoe@example.test', 'zoe bell']));
    expect(shown).not.toMatch(/zoe|bell/);
    expect(shown).toContain(foldText(hiding.token('Zoë')));
  });

  it('has addresses, devices and reasons for every operator', () => {
    const { shown } = searchText(call, hiding);
    expect(shown).not.toContain('@host.example.test');
    for (const text of ['abc-1', '10.1.2.3', '192.0.2.9', 'softphone/1.0', 'fe1.example.test', 'busy here', '7025'])
      expect(shown).toContain(text);
  });

  it('has each text once, and no states or times', () => {
    const { shown, identity } = searchText(call, hiding);
    const lines = [...shown.split('\n'), ...identity.split('\n')];
    expect(new Set(lines).size).toBe(lines.length);
    expect(lines).not.toContain('ended');
  });

  it('has nothing for operators who do not see users if nothing can be hidden', () => {
    expect(searchText(call).shown).toBe('');
    expect(searchText(call).identity).toContain('10.1.2.3');
  });

  it('is bounded', () => {
    const parties = Array.from({ length: 5_000 }, (_, n) => ({ uri: `${n}@${'x'.repeat(5_000)}` }));
    const { shown, identity } = searchText({ ...call, parties }, hiding);
    expect(shown.length + identity.length).toBeLessThan(100 * 2 * 210);
  });
});

describe('the words of a search', () => {
  it.each([
    ['Zoë BELL', ['zoe', 'bell']],
    ['  Zoe   zoe ', ['zoe']],
    ['+49 (30) 123-456', ['4930123456']],
    ['10.1.2.3', ['10.1.2.3']],
    ['10.1.2.3 10.1.2.9', ['10.1.2.3', '10.1.2.9']],
    ['5060 10.1.2.3', ['5060', '10.1.2.3']],
    ['555 7025', ['5557025']],
    ['+32 2 555.12.12', ['3225551212']],
    ['+41 44.66.18.10', ['4144661810']],
    ['+4930123', ['+4930123']],
    ['שלום עולם', ['שלום', 'עולם']],
    ['50%_\\', ['50%_\\']],
  ])('are those of %j', (text, words) => {
    expect(searchWords(text)).toEqual(words);
  });

  it.each([
    ['ab'],
    ['anna x'],
    [''],
    ['   '],
    ['a\u0000bc'],
    ['a\nbc'],
    ['one two three four five six seven eight nine'],
  ])('are not %j', (text) => {
    expect(searchWords(text)).toBeUndefined();
  });

  it('are literal in the pattern', () => {
    expect(wordPattern('50%_\\')).toBe('%50\\%\\_\\\\%');
    expect(foldText('ﬁne Ärger\u0007')).toBe('fine arger ');
  });

  it('are searched in the index with letters in place of punctuation, so that none is a wildcard', () => {
    expect(indexedWordPattern('.10.7.')).toBe('%z10z7z%');
    expect(indexedWordPattern(PUNCTUATION)).toBe(`%${IN_PLACE_OF_PUNCTUATION}%`);
    expect(IN_PLACE_OF_PUNCTUATION).toHaveLength(32);
    expect(indexedWordPattern('aßб😀1')).toBe('%aßб😀1%');
  });
});

describe('the pairs of numbers by which parts of addresses are found', () => {
  it.each([
    ['10.4.168.12', ['10.4', '4.168', '168.12']],
    ['a 1.2\n3.4:5060 fe80::1 1.2', ['1.2', '3.4']],
    ['softphone/16.0.22621.4 x..7.-8', ['16.0']],
    ['4930123 1.', []],
    ['', []],
  ])('in %j are %j', (text, pairs) => {
    expect(numberPairKeys('numbers', text)).toEqual(pairs.map((pair) => `numbers:${pair}`));
  });

  it.each([
    ['.4.168.', [['numbers:4.168', 'numbers:many']]],
    ['4.168.', []],
    ['.4.168', []],
    ['10.4.168.12', [['numbers:4.168', 'numbers:many']]],
    [
      '@10.4.168.12:',
      [
        ['numbers:10.4', 'numbers:many'],
        ['numbers:4.168', 'numbers:many'],
        ['numbers:168.12', 'numbers:many'],
      ],
    ],
    ['.22621.4.', []],
    ['ver.4.168.', []],
    ['168', []],
    ['anna', []],
  ])('in the word %j are those between its ends: %j', (word, keys) => {
    expect(numberPairSearch(['numbers'], word)).toEqual(keys);
  });

  it('of hidden texts are searched only with those', () => {
    expect(numberPairSearch(['numbers', 'hiddenNumbers'], '.4.168.')).toEqual([
      ['numbers:4.168', 'numbers:many', 'hiddenNumbers:4.168', 'hiddenNumbers:many'],
    ]);
  });

  it('of every part of a text are among those of the text', () => {
    const text = fc
      .array(fc.constantFrom('0', '1', '24', '7', '.', '.', '.', '\n', 'a', '-', ':', '😀', '٣'), { maxLength: 300 })
      .map((each) => each.join(''));
    fc.assert(
      fc.property(text, fc.nat(300), fc.nat(20), (whole, start, length) => {
        const keys = numberPairKeys('numbers', whole);
        for (const any of numberPairSearch(['numbers'], whole.slice(start, start + length)))
          expect([keys, any.some((key) => keys.includes(key))]).toEqual([keys, true]);
      }),
    );
  });

  it('are one key in a text with more than any real call has', () => {
    const text = Array.from({ length: 2_000 }, (_, n) => `${n % 256}.${n >> 3}`).join(' ');
    expect(numberPairKeys('numbers', text)).toEqual(['numbers:many']);
  });
});
