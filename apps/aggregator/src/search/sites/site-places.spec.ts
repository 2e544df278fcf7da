import { sitePlaces } from './site-places.js';

const sites = [
  { site: 'Oslo', net: '10.1.0.0/16' },
  { site: 'Oslo', net: '10.1.5.128/25' },
  { site: 'Lab', net: '10.1.5.0/24' },
  { site: 'Lab', net: '2001:db8::/32' },
  { site: 'All', net: '10.0.0.0/8' },
];

describe('the places of a site', () => {
  it('are its subnets, without those of other sites inside them', () => {
    expect(sitePlaces(sites, 'Oslo')).toEqual([
      { net: '10.1.0.0/16', except: ['10.1.5.0/24'] },
      { net: '10.1.5.128/25', except: [] },
    ]);
    expect(sitePlaces(sites, 'Lab')).toEqual([
      { net: '10.1.5.0/24', except: ['10.1.5.128/25'] },
      { net: '2001:db8::/32', except: [] },
    ]);
    expect(sitePlaces(sites, 'All')?.[0]?.except).toEqual(['10.1.0.0/16', '10.1.5.128/25', '10.1.5.0/24']);
  });

  it('are undefined when the site does not exist', () => {
    expect(sitePlaces(sites, 'oslo')).toBeUndefined();
    expect(sitePlaces([], 'Oslo')).toBeUndefined();
  });
});
