import { isOnBus } from '@ringdown/directory';
import { readPasswordRules } from '@ringdown/directory/passwords';
import { ensureFirstUsers } from '@ringdown/directory/people-file';
import { reasonStyle } from '@ringdown/hypermedia';
import type { Logger } from '@ringdown/observability';
import { problemStyle } from '@ringdown/web-server/errors';
import { SettingsError } from '@ringdown/settings';
import type { WebService } from '@ringdown/web-service';
import { DiscoveryAuthModule } from './discovery-auth.module.js';
import { discoveryAuthSettings, type Settings } from './settings.js';
import { DISCOVERY_AUTH } from './transport.js';
import { assertSingleSignOn } from './single-sign-on-settings.js';
import { tokenErrorStyle } from './sign-in/token-errors.js';

/** Discovery, challenge, token service and user resource; issues the tokens and creates the first users. */
export const discoveryAuth: WebService<typeof discoveryAuthSettings> = {
  name: 'discovery-auth',
  fields: discoveryAuthSettings,
  prepare: async (settings, { logger }) => {
    assertSingleSignOn(settings);
    assertCanCreatePeople(settings);
    await readPasswordRules(settings);
    await createFirstUsers(settings, { logger });
  },
  module: DiscoveryAuthModule,
  transportId: DISCOVERY_AUTH,
  errorStyles: ({ vendorProfile }) => [
    reasonStyle('/', vendorProfile.web),
    tokenErrorStyle('/uc/token'),
    problemStyle('/api'),
  ],
};

/** Before the people file is read, by this service or another one of the process. */
async function createFirstUsers(settings: Settings, { logger }: { readonly logger: Logger }): Promise<void> {
  const { peopleFile, directoryUrls, dataDir, sipDomains } = settings;
  if (peopleFile !== undefined || directoryUrls !== undefined) return;
  const first = await ensureFirstUsers(dataDir, sipDomains[0] ?? 'example.test');
  if (first.created)
    logger.info({ file: first.firstUsersFile }, 'created the first users; their passwords are in the file');
}

/** Throws for people who are to be created where they cannot be. */
function assertCanCreatePeople(settings: Settings): void {
  if (settings.oidcUnknownPeople === 'create' && !isOnBus(settings)) {
    throw new SettingsError(['OIDC_UNKNOWN_PEOPLE=create cannot be used with PEOPLE_FILE or DIRECTORY_URL']);
  }
}
