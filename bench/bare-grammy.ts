/** The smallest bot for comparison: grammY alone answers each message and stores nothing. */
import { Bot } from 'grammy';

const [token = '', apiRoot = ''] = process.argv.slice(2);
const bot = new Bot(token, { client: { apiRoot } });
bot.on('message', (ctx) => ctx.reply('ok'));
process.once('SIGTERM', () => void bot.stop());
await bot.start();
