import { setting } from '@ringdown/settings';

/** Exports that run at the same time; each reads as fast as its client receives it. */
export const EXPORT_LIMIT = 4;
/** Live streams at a time. */
export const READER_LIMIT = 500;
/** More than anyone chooses from; each search needs space in the store. */
export const SEARCHES_PER_OPERATOR = 100;
/** More trunks than anyone rents. */
export const MOST_TRUNK_LIMITS = 1_000;

export const userLimitSettings = {
  exportsPerUser: setting.integer('EXPORTS_PER_USER', {
    task: 'limits',
    default: 2,
    min: 1,
    max: EXPORT_LIMIT,
    about: 'Maximum number of running exports of one user, on each replica; all users together: 4',
  }),
  liveReadersPerUser: setting.integer('LIVE_READERS_PER_USER', {
    task: 'limits',
    default: 20,
    min: 1,
    max: READER_LIMIT,
    about: 'Maximum number of live streams of calls of one user, on each replica; all users together: 500',
  }),
  apiRequestsPerMinute: setting.integer('API_REQUESTS_PER_MINUTE', {
    task: 'limits',
    default: 6_000,
    min: 10,
    max: 1_000_000,
    about: 'Requests to `/api` of one user that each replica answers within a minute; further ones get 429',
  }),
};
