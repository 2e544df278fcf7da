import { lazy, type ComponentType } from 'react';

/** A view and where it is. Views come lazily, each in files of its own. */
export interface View {
  /** Below /console, as wouter writes it. */
  readonly path: string;
  /** In the navigation; a view without is reached from others. */
  readonly label?: string;
  /** Role without which it is not offered. */
  readonly needs?: string;
  readonly component: ComponentType;
}

export const views: readonly View[] = [
  {
    path: '/live',
    label: 'Live',
    needs: 'operator',
    component: lazy(async () => ({ default: (await import('../live/live-view.js')).LiveView })),
  },
  {
    path: '/calls',
    label: 'Search',
    needs: 'operator',
    component: lazy(async () => ({ default: (await import('../search/search-view.js')).SearchView })),
  },
  {
    path: '/calls/:callId',
    needs: 'operator',
    component: lazy(async () => ({ default: (await import('../call/call-view.js')).CallView })),
  },
  {
    path: '/quality',
    label: 'Quality',
    needs: 'operator',
    component: lazy(async () => ({ default: (await import('../quality/quality-view.js')).QualityView })),
  },
  {
    path: '/feeds',
    label: 'Feeds',
    needs: 'operator',
    component: lazy(async () => ({ default: (await import('../feeds/feeds-view.js')).FeedsView })),
  },
  {
    path: '/people',
    label: 'People',
    component: lazy(async () => ({ default: (await import('../people/people-view.js')).PeopleView })),
  },
];

export function viewsFor(roles: readonly string[]): readonly View[] {
  return views.filter(({ needs }) => needs === undefined || roles.includes(needs));
}
