import { reasonStyle } from '@ringdown/hypermedia';
import type { WebService } from '@ringdown/web-service';
import { ApplicationPeopleModule } from './application-people.module.js';
import { APPLICATION_PEOPLE } from './events/polls-held.controller.js';
import { applicationPeopleSettings } from './settings.js';

/**
 * Applications (sessions), me, people search and contacts. A people file must exist: discovery-auth creates the first.
 */
export const applicationPeople: WebService<typeof applicationPeopleSettings> = {
  name: 'application-people',
  fields: applicationPeopleSettings,
  module: ApplicationPeopleModule,
  transportId: APPLICATION_PEOPLE,
  errorStyles: ({ vendorProfile }) => [reasonStyle('/', vendorProfile.web)],
};
