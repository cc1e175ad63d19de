import { Command, Option } from 'commander';
import { WeirError } from '../lib/errors.js';
import { type Scope, scopes } from '../model/access.js';
import { addDataOptions, type DataFlags } from './options.js';
import { formatInstant, parseId, printTable } from './print.js';
import { withStore } from './store.js';

type NewFlags = DataFlags & { readonly name: string; readonly scope: Scope };

export function keyCommand(): Command {
  const command = new Command('key').description('keys for the REST API and /status');
  addDataOptions(command.command('new'))
    .description('make a key and print it, this once')
    .option('--name <name>', 'what it is for', 'unnamed')
    .addOption(new Option('--scope <scope>', 'what it may do').choices(scopes).default('admin'))
    .action(createKey);
  addDataOptions(command.command('list')).description('list all keys, not their secrets').action(listKeys);
  addDataOptions(command.command('revoke'))
    .description('make a key invalid')
    .argument('<id>', 'its number in the list', parseId)
    .action(revokeKey);
  return command;
}

async function createKey({ name, scope, ...flags }: NewFlags): Promise<void> {
  await withStore(flags, async ({ access }) => {
    const { key, secret } = await access.createKey(name, scope);
    process.stderr.write(
      `Key ${key.id} (${name}, ${scope}), shown this once. Send it as "Authorization: Bearer KEY":\n`,
    );
    process.stdout.write(`${secret}\n`);
  });
}

async function listKeys(flags: DataFlags): Promise<void> {
  await withStore(flags, async ({ access }) => {
    const rows = (await access.listKeys()).map(({ id, name, scope, createdAt, revokedAt }) => {
      return [String(id), name, scope, formatInstant(createdAt), formatInstant(revokedAt)];
    });
    printTable([['ID', 'NAME', 'SCOPE', 'CREATED (UTC)', 'REVOKED (UTC)'], ...rows]);
  });
}

async function revokeKey(id: number, flags: DataFlags): Promise<void> {
  await withStore(flags, async ({ access }) => {
    if (!(await access.revokeKey(id)))
      throw new WeirError('not-found', `There is no valid key ${id}. See weir key list.`);
    process.stdout.write(`Key ${id} is revoked.\n`);
  });
}
