import { texts } from '../texts/app.js';
import { ViewFiles } from './view-files.js';

/** A view and its address. */
export interface View {
  /** Below /console, in the syntax of wouter. */
  readonly path: string;
  /** Shown in the navigation; a view without a label is reached from others. */
  readonly label?: string;
  /** The role that the view requires. */
  readonly needs?: string;
  readonly files: ViewFiles;
}

export const views: readonly View[] = [
  {
    path: '/live',
    label: texts.live,
    needs: 'operator',
    files: new ViewFiles(async () => (await import('../live/live-view.js')).LiveView),
  },
  {
    path: '/calls',
    label: texts.search,
    needs: 'operator',
    files: new ViewFiles(async () => (await import('../search/search-view.js')).SearchView),
  },
  {
    path: '/calls/:callId',
    needs: 'operator',
    files: new ViewFiles(async () => (await import('../call/call-view.js')).CallView),
  },
  {
    path: '/quality',
    label: texts.quality,
    needs: 'operator',
    files: new ViewFiles(async () => (await import('../quality/quality-view.js')).QualityView),
  },
  {
    path: '/feeds',
    label: texts.feeds,
    needs: 'operator',
    files: new ViewFiles(async () => (await import('../feeds/feeds-view.js')).FeedsView),
  },
  {
    path: '/feeds/:name',
    needs: 'operator',
    files: new ViewFiles(async () => (await import('../feeds/feed-view.js')).FeedView),
  },
  {
    path: '/start',
    needs: 'operator',
    files: new ViewFiles(async () => (await import('../start/start-view.js')).StartView),
  },
  {
    path: '/captures',
    needs: 'operator',
    files: new ViewFiles(async () => (await import('../captures/captures-view.js')).CapturesView),
  },
  {
    path: '/alerts',
    label: texts.alerts,
    needs: 'operator',
    files: new ViewFiles(async () => (await import('../alerts/alerts-view.js')).AlertsView),
  },
  {
    path: '/alerts/rules/:id',
    needs: 'operator',
    files: new ViewFiles(async () => (await import('../alerts/rule-view.js')).RuleView),
  },
  {
    path: '/capacity',
    label: texts.capacity,
    needs: 'operator',
    files: new ViewFiles(async () => (await import('../capacity/capacity-view.js')).CapacityView),
  },
  {
    path: '/people',
    label: texts.people,
    files: new ViewFiles(async () => (await import('../people/people-view.js')).PeopleView),
  },
  {
    path: '/accounts',
    label: texts.accounts,
    needs: 'admin',
    files: new ViewFiles(async () => (await import('../administration/accounts-view.js')).AccountsView),
  },
  {
    path: '/accounts/:username',
    needs: 'admin',
    files: new ViewFiles(async () => (await import('../administration/person-view.js')).PersonView),
  },
  {
    path: '/account',
    files: new ViewFiles(async () => (await import('../account/account-view.js')).AccountView),
  },
];

export function viewsFor(roles: readonly string[]): readonly View[] {
  return views.filter(({ needs }) => needs === undefined || roles.includes(needs));
}

/** The view at a path below /console. */
export function viewAt(path: string): View | undefined {
  return views.find((view) => new RegExp(`^${view.path.replace(/:\w+/, '[^/]+')}$`).test(path));
}
