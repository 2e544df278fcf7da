import { errorReason } from '@ringdown/errors';
import type { VendorProfile } from '@ringdown/vendor-profile';
import { UsageError } from '@ringdown/settings';
import { collectorAddress, type CollectorAddress } from '../collector-address.js';

/** The address of a collector from the command line or a setting. Throws {@link UsageError}. */
export function addressArgument(to: string, profile: VendorProfile): CollectorAddress {
  try {
    return collectorAddress(to, profile);
  } catch (error) {
    throw new UsageError(`the address ${errorReason(error)}`);
  }
}
