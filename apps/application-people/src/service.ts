import { Meetings } from '@ringdown/bus';
import { directorySettings, openDirectory } from '@ringdown/directory';
import { publicOriginSettings, type WebPart } from '@ringdown/http-server';
import { LinkBuilder, reasonStyle, ResourceWriter } from '@ringdown/hypermedia';
import type { ServiceContext, WebService } from '@ringdown/service';
import { setting, type SettingValues } from '@ringdown/settings';
import { openTokenGuard } from '@ringdown/token-validation';
import { profileSettings } from '@ringdown/vendor-profile';
import { ApplicationPeopleModule } from './application-people.module.js';
import { Applications } from './applications/applications.js';
import { PeopleSearch } from './search/people-search.js';
import { ApplicationResources } from './applications/resources.js';
import { Sessions } from './applications/sessions.js';
import { OnlineMeetingResources } from './online-meetings/online-meeting-resources.js';

export const applicationPeopleSettings = {
  applicationsPerUser: setting.integer('APPLICATIONS_PER_USER', {
    default: 20,
    min: 1,
    max: 1_000,
    about: 'Applications that one user may have at once; one more ends the oldest',
  }),
  ...directorySettings,
  ...publicOriginSettings,
  ...profileSettings,
};

/** Applications (sessions), me, people search and contacts. A people file must exist: discovery-auth makes the first. */
export const applicationPeople: WebService<typeof applicationPeopleSettings> = {
  name: 'application-people',
  fields: applicationPeopleSettings,
  open,
};

async function open(
  settings: SettingValues<typeof applicationPeopleSettings>,
  context: ServiceContext,
): Promise<WebPart> {
  const { bus, logger, metrics, natsUrl } = context;
  const { vendorProfile, publicOrigins } = settings;
  const web = vendorProfile.web;
  const directory = await openDirectory(settings, context);
  const applications = await Applications.open({ bus, perUser: settings.applicationsPerUser });
  const { guard, validator } = openTokenGuard({ bus, natsUrl, web, publicOrigins });
  const meetings = await Meetings.open({ bus });
  const links = new LinkBuilder({ web, publicOrigin: publicOrigins.first });
  const meetingResources = new OnlineMeetingResources(links);
  return {
    module: ApplicationPeopleModule.register({
      writer: new ResourceWriter(web),
      resources: new ApplicationResources(links, meetingResources),
      sessions: new Sessions({ applications, directory }),
      meetings,
      meetingResources,
      peopleSearch: await PeopleSearch.open({ directory, logger, metrics }),
      guard,
      validator,
      directory,
    }),
    errorStyles: [reasonStyle('/', web)],
  };
}
