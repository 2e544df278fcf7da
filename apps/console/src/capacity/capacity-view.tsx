import { useMemo, type ReactNode } from 'react';
import { useLocation, useSearch } from 'wouter';
import sections from '../parts/sections.module.css';
import { Narrowing, Zoom } from '../quality/narrowing.js';
import { Panels } from '../quality/panels.js';
import type { TimeBucket } from '../quality/timeframe.js';
import { texts } from '../texts/capacity.js';
import { CapacityBar } from './capacity-bar.js';
import { capacityHref, readCapacityQuery, unknownInCapacity, type CapacityQuery } from './capacity-query.js';
import { LoadSection } from './load-section.js';

/** How many calls each trunk, site, front end or pool had at the same time, beside what a trunk may have. */
export function CapacityView(): ReactNode {
  const [, navigate] = useLocation();
  useSearch();
  // Read from the address itself, because the router decodes it only partly.
  const { search } = location;
  const query = useMemo(() => readCapacityQuery(search), [search]);
  const unknown = useMemo(() => unknownInCapacity(search), [search]);
  const change = (changed: Partial<CapacityQuery>): void => navigate(capacityHref({ ...query, ...changed }));
  function zoom({ from, to }: TimeBucket): void {
    const [begin = '', end = ''] = [from, to].map((at) => new Date(at).toISOString());
    change({ period: { span: undefined, from: begin, to: end } });
  }
  return (
    <div className={sections['sections']}>
      <h1 className="unseen">{texts.title}</h1>
      <CapacityBar query={query} unknown={unknown} onChange={change} />
      <Narrowing value={query.criteria}>
        <Zoom value={zoom}>
          <Panels>
            <LoadSection query={query} onChoose={(chosen) => change({ chosen })} />
          </Panels>
        </Zoom>
      </Narrowing>
    </div>
  );
}
