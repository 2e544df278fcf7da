import { addressBitCount, ipAddress } from '../calls/parties/ip-address.js';
import { subnetSearchKey } from '../search/keys/search-keys.js';
import { STORED_CALL, storedCall, type StoredCallRow } from '../store/records/stored-call.js';
import type { Transaction } from '../store/database/transaction.js';

/** What the newest call with an address tells about who is there. */
export interface PeerEnd {
  readonly trunk: string | null;
  readonly userAgent: string | null;
}

const DAY_MS = 86_400_000;

/** Of the newest call of the day before `to`; undefined if there is none. */
export async function newestEnd(transaction: Transaction, peer: string, to: Date): Promise<PeerEnd | undefined> {
  const address = ipAddress(peer);
  const key = address && subnetSearchKey({ address, length: addressBitCount(address) });
  if (address === undefined || key === undefined) return undefined;
  const { rows } = await transaction.query<StoredCallRow>(
    `select ${STORED_CALL} from calls where search_keys && array[$1::text] and began_at >= $2 order by began_at desc, call_key desc limit 1`,
    [key, new Date(to.getTime() - DAY_MS)],
  );
  const isPeer = (written: string | undefined): boolean =>
    written !== undefined && ipAddress(written)?.text === address.text;
  const [row] = rows;
  const party = row && storedCall(row).parties.find(({ ip, reflexiveIp }) => isPeer(ip) || isPeer(reflexiveIp));
  return party && { trunk: party.trunk ?? null, userAgent: party.userAgent ?? null };
}
