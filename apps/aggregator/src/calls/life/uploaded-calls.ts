import { isUploadFeed } from '@ringdown/contracts/uploads';
import type { Call } from '../call.js';

/** Whether only uploaded captures contain the call: with records of front ends, those of uploads count for nothing. */
export function isUploaded({ feeds }: Pick<Call, 'feeds'>): boolean {
  return feeds.some(isUploadFeed);
}

/** Which calls of uploads a query is about: none of them, all calls, or no others. */
export const UPLOADS = ['exclude', 'include', 'only'] as const;
export type Uploads = (typeof UPLOADS)[number];
