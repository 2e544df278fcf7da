import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { Meetings } from '@ringdown/meetings';
import { Bus } from '@ringdown/nats';
import { DIRECTORY, type Directory } from '@ringdown/directory';
import type { PeopleEditor } from '@ringdown/directory/editing';
import { Identities } from '@ringdown/directory/stored';
import { LOGGER, type Logger } from '@ringdown/observability';
import { AuditModule } from '../audit/audit.module.js';
import { PeopleAuditLog } from '../audit/people-audit-log.js';
import { ContextModule } from '../context.module.js';
import { SETTINGS, type Settings } from '../settings.js';
import { IntrospectionController } from './introspection.controller.js';
import { KnownPeopleController } from './known-people.controller.js';
import { Sessions } from './sessions.js';
import { SignInLimits } from './sign-in-limits.js';
import { signInName } from './sign-in-name.js';
import { TokenController } from './token.controller.js';
import { BoundPeople } from '../single-sign-on/bound-people.js';
import { OpenIdProvider } from '../single-sign-on/open-id-provider.js';
import { SignInOptionsController } from '../single-sign-on/sign-in-options.controller.js';
import { SingleSignOn } from '../single-sign-on/single-sign-on.js';
import { TokenService } from './token-service.js';
import { Tokens } from './tokens.js';

/** Token service and introspection; issues and stores all tokens. */
@Module({
  imports: [ContextModule, AuditModule],
  controllers: [TokenController, IntrospectionController, KnownPeopleController, SignInOptionsController],
  providers: [
    TokenService,
    { provide: Meetings, inject: [Bus], useFactory: (bus: Bus) => Meetings.open({ bus }) },
    {
      provide: SignInLimits,
      inject: [Bus, SETTINGS],
      useFactory: (bus: Bus, settings: Settings) => SignInLimits.open({ bus, settings }),
    },
    { provide: Identities, inject: [Bus], useFactory: (bus: Bus) => Identities.open(bus) },
    {
      provide: SingleSignOn,
      inject: [SETTINGS, DIRECTORY, Identities, LOGGER, PeopleAuditLog],
      useFactory: singleSignOn,
    },
    { provide: Sessions, inject: [Tokens], useFactory: (tokens: Tokens) => new Sessions(tokens) },
    { provide: Tokens, inject: [Bus, SETTINGS, DIRECTORY, Meetings, LOGGER], useFactory: openTokens },
  ],
  exports: [SignInLimits, Sessions, Tokens, Identities],
})
export class SignInModule implements OnApplicationShutdown {
  constructor(private readonly tokens: Tokens) {}

  onApplicationShutdown(): void {
    this.tokens.close();
  }
}

/** Undefined without a provider. */
function singleSignOn(
  settings: Settings,
  directory: Directory,
  identities: Identities,
  logger: Logger,
  log: PeopleAuditLog,
): SingleSignOn | undefined {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcScope: scope, sipDomains } = settings;
  if (issuer === undefined || clientId === undefined) return undefined;
  const provider = new OpenIdProvider({
    issuer,
    clientId,
    clientSecret: settings.oidcClientSecret,
    audiences: settings.oidcAudiences ?? [clientId],
    answerMs: settings.oidcAnswerMs,
    clockSeconds: settings.oidcClockSeconds,
    logger,
  });
  const rules = {
    personClaim: settings.oidcPersonClaim,
    rolesClaim: settings.oidcRolesClaim,
    roleValues: {
      operator: settings.oidcOperatorValue,
      reveal: settings.oidcRevealValue,
      admin: settings.oidcAdminValue,
    },
  };
  const nameIn = (text: string): string | undefined => signInName(text, sipDomains);
  const isOurDomain = (domain: string): boolean => sipDomains.some((ours) => ours.toLowerCase() === domain);
  const onBound = (username: string, from: string): void => {
    const change = { action: 'change', people: [username], changed: ['identity'], result: 'done' } as const;
    log.record({ ...change, by: 'single-sign-on', from });
  };
  const bound = new BoundPeople({ directory, identities, onBound });
  const options = { provider, issuer, clientId, scope, rules, nameIn, directory, bound, isOurDomain };
  const { editor } = directory;
  if (settings.oidcUnknownPeople === 'reject' || editor === undefined) {
    return new SingleSignOn({ ...options, editorFor: undefined });
  }
  const editorFor = (from: string): PeopleEditor => log.audited(editor, { by: 'single-sign-on', from });
  return new SingleSignOn({ ...options, editorFor });
}

function openTokens(
  bus: Bus,
  settings: Settings,
  directory: Directory,
  meetings: Meetings,
  logger: Logger,
): Promise<Tokens> {
  const { vendorProfile, tokenLifetimeSeconds: lifetimeSeconds, guestTokenLifetimeSeconds, tokenKey } = settings;
  const key = tokenKey === undefined ? bus.login.deriveKey('seals of tokens') : Buffer.from(tokenKey);
  if (key.length === 0)
    logger.warn('TOKEN_KEY is not set, and NATS_URL has no key: who reaches the bus can make tokens');
  const lifetimes = { lifetimeSeconds, guestLifetimeSeconds: guestTokenLifetimeSeconds };
  return Tokens.open({ bus, directory, meetings, key, prefix: vendorProfile.web.tokenPrefix, ...lifetimes, logger });
}
