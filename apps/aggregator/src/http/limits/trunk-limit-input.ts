import { ReadAs, SetByServer } from '@ringdown/web-server/input';
import { IsDefined } from 'class-validator';

const MOST_CALLS = 100_000;

/** The body of a request that sets a limit: may be what was read. */
@SetByServer('trunk', 'etag', 'changedAt')
export class TrunkLimitInput {
  @IsDefined({ message: 'calls is missing' })
  @ReadAs(
    `a whole number from 1 to ${MOST_CALLS}`,
    (value) =>
      typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MOST_CALLS ? value : undefined,
    'number',
  )
  calls!: number;
}
