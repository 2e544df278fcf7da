import { numberPairKeys, numberPairSearch } from './number-pairs.js';

const pairsOf = (text: string): readonly string[] => numberPairKeys('numbers', text).map((key) => key.slice(8));

describe('pairs of neighbouring numbers', () => {
  it.each([
    ['an address', '10.4.168.12', ['10.4', '4.168', '168.12']],
    ['addresses in lines', 'sip:anna@10.0.0.7:5061\n10.0.0.7', ['10.0', '0.0', '0.7']],
    ['a version', 'phone/12.345', ['12.345']],
    ['numbers beside letters', 'v1.2b', ['1.2']],
    ['a number of more than three digits', '1234.5.6', ['5.6']],
    ['one behind the full stop', '5.6789', []],
    ['no number on one side', '.5 5. 5..6 a.5', []],
    ['other digits than those of ASCII', '\u0661.5', []],
    ['no text', '', []],
  ])('are found in %s', (_, text, pairs) => {
    expect(pairsOf(text)).toEqual(pairs);
  });

  it('are not listed for a text with more than any call has', () => {
    const text = Array.from({ length: 300 }, (_, n) => `${n}.1`).join(' ');
    expect(pairsOf(text)).toEqual(['many']);
  });

  it('of a searched word exclude the numbers at its ends, which may be parts of longer ones', () => {
    expect(numberPairSearch(['numbers'], '0.4.168.1')).toEqual([['numbers:4.168', 'numbers:many']]);
    expect(numberPairSearch(['numbers'], 'host4.168.1')).toEqual([]);
  });
});
