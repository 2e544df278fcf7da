import type { CollectorClient } from './collector-client.js';
import { isFinalRejection } from './delivery.js';
import { NoAnswer } from './http-answer.js';

/** `failed`: it may be sent again. `refused`: the collector does not accept it. */
export type PostOutcome = 'stored' | 'failed' | 'refused';

/** Posts what a sender tells its collector beside the records, as JSON. */
export async function postBesideRecords(client: CollectorClient, url: URL, body: object): Promise<PostOutcome> {
  try {
    const { status } = await client.post(url, JSON.stringify(body), { type: 'application/json' });
    if (status === 200) return 'stored';
    return isFinalRejection(status) ? 'refused' : 'failed';
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return 'failed';
  }
}
