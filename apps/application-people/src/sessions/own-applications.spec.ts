import { findIn, limited, MAX_AGE_MS, NO_APPLICATIONS, runningIn, withApplication } from './own-applications.js';
import type { StoredApplication } from './stored-application.js';

const NOW = 1_764_000_000_000;

function application(id: string, more: Partial<StoredApplication> = {}): StoredApplication {
  return { id, endpointId: `endpoint ${id}`, culture: 'en', userAgent: 'test', usedAt: NOW, createdAt: NOW, ...more };
}

describe('the applications of a user', () => {
  it('end over the limit, the oldest first, and report why for ten minutes', () => {
    const all = ['1', '2', '3'].map((id) => application(id));
    const { own, displaced } = limited({ applications: all, ended: [] }, { perUser: 2, now: NOW });
    expect(displaced).toEqual([all[0]]);
    expect(own.applications).toEqual(all.slice(1));
    expect(findIn(own, '1', NOW + 599_999)).toEqual({ id: '1', ended: 'TooManyApplications', at: NOW });
    expect(findIn(own, '1', NOW + 600_000)).toBeUndefined();
    expect(limited(own, { perUser: 2, now: NOW + 600_000 }).own.ended).toEqual([]);
  });

  it('expire after a week without use', () => {
    const own = { applications: [application('1'), application('2', { usedAt: NOW + 1 })], ended: [] };
    const later = NOW + MAX_AGE_MS;
    expect(findIn(own, '1', later - 1)).toEqual(own.applications[0]);
    expect([findIn(own, '1', later), runningIn(own, later)]).toEqual([undefined, [own.applications[1]]]);
    expect(limited(own, { perUser: 5, now: later })).toEqual({
      own: { applications: [own.applications[1]], ended: [] },
      displaced: [],
    });
  });

  it('always fit into one message of the bus, however long their names are', () => {
    const long = '\u0001'.repeat(100);
    const instances = Array.from({ length: 20 }, () => long);
    let own = NO_APPLICATIONS;
    for (let n = 0; n < 1_000; n++) {
      const next = application(String(n), { endpointId: long, culture: long, userAgent: long, instances });
      own = limited(withApplication(own, next), { perUser: 1_000, now: NOW }).own;
    }
    expect(own.applications.length).toBeGreaterThan(50);
    expect(own.applications.at(-1)?.id).toBe('999');
    expect(Buffer.byteLength(JSON.stringify(own))).toBeLessThan(1_000_000);
  });
});
