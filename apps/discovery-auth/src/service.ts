import { Meetings } from '@ringdown/bus';
import { directorySettings, ensureFirstUsers, openDirectory } from '@ringdown/directory';
import { publicOriginSettings, type WebPart } from '@ringdown/http-server';
import { reasonStyle, ResourceWriter } from '@ringdown/hypermedia';
import { announce, type ServiceContext, type WebService } from '@ringdown/service';
import { setting, type SettingValues } from '@ringdown/settings';
import { openTokenGuard } from '@ringdown/token-validation';
import { profileSettings } from '@ringdown/vendor-profile';
import { DiscoveryAuthModule } from './discovery-auth.module.js';
import { Domains, domainSettings } from './discovery/domains.js';
import { SignInLimits, signInLimitSettings } from './sign-in/sign-in-limits.js';
import { tokenErrorStyle } from './sign-in/token-errors.js';
import { TokenService } from './sign-in/token-service.js';
import { MAX_LIFETIME_SECONDS, Tokens } from './sign-in/tokens.js';

export const discoveryAuthSettings = {
  ...directorySettings,
  ...publicOriginSettings,
  ...domainSettings,
  ...signInLimitSettings,
  ...profileSettings,
  tokenLifetimeSeconds: setting.integer('TOKEN_LIFETIME_SECONDS', {
    default: 8 * 60 * 60,
    min: 1,
    max: MAX_LIFETIME_SECONDS,
    about: 'How long an access token is valid, seconds',
  }),
  guestTokenLifetimeSeconds: setting.integer('GUEST_TOKEN_LIFETIME_SECONDS', {
    default: 60 * 60,
    min: 1,
    max: MAX_LIFETIME_SECONDS,
    about: 'How long an access token of a guest of a meeting is valid, seconds',
  }),
};

/** Discovery, challenge, token service, user resource; the owner of tokens and the one who makes the first users. */
export const discoveryAuth: WebService<typeof discoveryAuthSettings> = {
  name: 'discovery-auth',
  fields: discoveryAuthSettings,
  open,
};

async function open(settings: SettingValues<typeof discoveryAuthSettings>, context: ServiceContext): Promise<WebPart> {
  const { bus, logger, metrics, natsUrl } = context;
  const { vendorProfile, publicOrigins, domainHomes: homes, sipDomains, tokenLifetimeSeconds } = settings;
  const web = vendorProfile.web;
  const domains = new Domains({ homes, publicOrigins, discoveryLabels: web.discoveryLabels });
  if (settings.peopleFile === undefined && settings.directoryUrls === undefined) {
    const first = await ensureFirstUsers(settings.dataDir, sipDomains[0] ?? 'example.test');
    if (first.created)
      logger.info({ file: first.firstUsersFile }, 'made the first users; their passwords are in the file');
  }
  const directory = await openDirectory(settings, context);
  const meetings = await Meetings.open({ bus });
  const tokens = await Tokens.open({
    bus,
    directory,
    meetings,
    prefix: web.tokenPrefix,
    lifetimeSeconds: tokenLifetimeSeconds,
    guestLifetimeSeconds: settings.guestTokenLifetimeSeconds,
  });
  const limits = await SignInLimits.open({ bus, settings });
  const { guard, validator } = openTokenGuard({ bus, natsUrl, web, publicOrigins });
  const { identityScopeField } = web;
  const parts = { directory, meetings, tokens, limits, sipDomains, identityScopeField, logger, metrics };
  const tokenService = new TokenService(parts);
  announce(context, { service: 'discovery-auth' });
  return {
    module: DiscoveryAuthModule.register({
      writer: new ResourceWriter(web),
      publicOrigins,
      domains,
      tokens,
      tokenService,
      guard,
      validator,
      directory,
    }),
    errorStyles: [reasonStyle('/', web), tokenErrorStyle('/uc/token')],
  };
}
