// The actions that set the properties of the account and of its groups.
import type { z } from 'zod';
import type { accountPropertyConfiguration } from '#contract/account-properties.ts';
import { refuse } from '../refusals.ts';
import { merged } from '../threads/properties.ts';
import { demandAdministrator, type ConfigurationAction } from './action.ts';

type Declared = typeof accountPropertyConfiguration;

export const accountPropertyActions: { [K in keyof Declared]: ConfigurationAction<z.infer<Declared[K]['args']>> } = {
  update_license_properties(asked) {
    demandAdministrator(asked);
    const { live } = asked.account.store;
    live.putLicenseProperties(merged(live.licenseProperties(), asked.args.properties));
    return {};
  },
  update_group_properties(asked) {
    demandAdministrator(asked);
    const { id, properties } = asked.args;
    const { live, staff } = asked.account.store;
    if (!staff.one('groups', id)) throw refuse.v3('validation', `id: there is no group ${id}`);
    live.putGroupProperties(id, merged(live.groupProperties(id), properties));
    return {};
  },
};
