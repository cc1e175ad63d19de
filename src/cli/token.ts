import { Command } from 'commander';
import { WeirError } from '../lib/errors.js';
import { addDataOptions, type DataFlags } from './options.js';
import { formatInstant, parseId, printTable } from './print.js';
import { withStore } from './store.js';

type NewFlags = DataFlags & { readonly name: string };

export function tokenCommand(): Command {
  const command = new Command('token').description('tokens for viewers from outside the house');
  addDataOptions(command.command('new'))
    .description('make a token and print it, this once')
    .option('--name <name>', 'whom it is for', 'unnamed')
    .action(createToken);
  addDataOptions(command.command('list')).description('list all tokens, not their secrets').action(listTokens);
  addDataOptions(command.command('revoke'))
    .description('make a token invalid')
    .argument('<id>', 'its number in the list', parseId)
    .action(revokeToken);
  return command;
}

async function createToken({ name, ...flags }: NewFlags): Promise<void> {
  await withStore(flags, async ({ access }) => {
    const { token, secret } = await access.createToken(name);
    process.stderr.write(`Token ${token.id} (${name}), shown this once. Its playlist is /t/TOKEN/playlist.m3u:\n`);
    process.stdout.write(`${secret}\n`);
  });
}

async function listTokens(flags: DataFlags): Promise<void> {
  await withStore(flags, async ({ access }) => {
    const rows = (await access.listTokens()).map(({ id, name, createdAt, revokedAt }) => {
      return [String(id), name, formatInstant(createdAt), formatInstant(revokedAt)];
    });
    printTable([['ID', 'NAME', 'CREATED (UTC)', 'REVOKED (UTC)'], ...rows]);
  });
}

async function revokeToken(id: number, flags: DataFlags): Promise<void> {
  await withStore(flags, async ({ access }) => {
    if (!(await access.revokeToken(id))) {
      throw new WeirError('not-found', `There is no valid token ${id}. See weir token list.`);
    }
    process.stdout.write(`Token ${id} is revoked.\n`);
  });
}
