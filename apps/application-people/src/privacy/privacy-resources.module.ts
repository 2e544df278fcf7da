import { Module } from '@nestjs/common';
import { ContextModule } from '../context.module.js';
import { PrivacyResources } from './privacy-resources.js';

/** The resources alone, for the modules that link to them. */
@Module({ imports: [ContextModule], providers: [PrivacyResources], exports: [PrivacyResources] })
export class PrivacyResourcesModule {}
