import type { Bus } from '@ringdown/nats';
import type { Logger } from '@ringdown/observability';
import { readPeopleFile } from '../people-file/people-file.js';
import { PeopleFileError } from '../people/people-file-format.js';
import { firstTakenName } from '../people/unique-names.js';
import { PeopleStore } from './people-store.js';

export interface FirstPeopleOptions {
  readonly bus: Bus;
  readonly logger: Logger;
  readonly peopleFile: string;
}

/**
 * Copies the people file to the bus at the first start of this version; afterwards the bus has the people, and the file
 * is not read again. Only for the service that owns the people.
 */
export async function storeFirstPeople({ bus, logger, peopleFile: file }: FirstPeopleOptions): Promise<void> {
  const store = await PeopleStore.open({ bus, logger, role: 'owner' });
  try {
    if (await store.isStarted()) return;
    const people = await readPeopleFile(file);
    const taken = firstTakenName(people);
    // Only one of the two would be found on the bus, while a people file may have both.
    if (taken !== undefined) throw new PeopleFileError(`the people file ${file} cannot be copied: ${taken.reason}`);
    await store.start(people);
    logger.info(
      { people: people.length, file },
      'copied the people file to the message bus; the file is not read again',
    );
  } finally {
    store.close();
  }
}
