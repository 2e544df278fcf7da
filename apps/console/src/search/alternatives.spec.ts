import { alternativesTo } from './alternatives.js';
import { parseFilter, filterAddress } from './filter.js';

describe('wider searches', () => {
  it('leave out one filter each, and the limits of time', () => {
    const wider = alternativesTo(parseFilter('q=anna&verdict=bad&codec=PCMU&not.codec=PCMA&last=1h&cursor=c'));
    expect(wider.map(({ words, filter }) => [words, filterAddress(filter)])).toEqual([
      ['All time', 'q=anna&verdict=bad&codec=PCMU&not.codec=PCMA'],
      ['Without “anna”', 'last=1h&verdict=bad&codec=PCMU&not.codec=PCMA'],
      ['With any verdict', 'last=1h&q=anna&codec=PCMU&not.codec=PCMA'],
      ['Without Codec: PCMU', 'last=1h&q=anna&verdict=bad&not.codec=PCMA'],
      ['Without Codec is not PCMA', 'last=1h&q=anna&verdict=bad&codec=PCMU'],
    ]);
  });

  it('do not exist for the widest', () => {
    expect(alternativesTo(parseFilter('last=all'))).toEqual([]);
  });
});
