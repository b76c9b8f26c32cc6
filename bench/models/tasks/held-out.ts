// More than 400 lines: all questions of the set, in both languages, in one place.
import { compute, edit, failingFirst, list, none, read, readThenWrite, search, twoCalls, write } from '../graders.ts';
import type { Language, Wanted } from '../task.ts';

/** For claims: never used to choose anything. */
export const HELD_OUT: Readonly<Record<Language, readonly (readonly [ask: string, wanted: Wanted])[]>> = {
  en: [
    ['Tell me the names of the files in /music.', list('/music', ['waltz.mid', 'tango.mid', 'polka.mid'])],
    ['Look into the directory /backup. What does it hold?', list('/backup', ['monday.zip.txt', 'friday.zip.txt'])],
    ['Please open /recipe.md and tell me how long it bakes.', read('/recipe.md', 'Bake for 35 minutes.\n', '35')],
    ['Who is the author named in /about.txt?', read('/about.txt', 'Author: Lovelace\n', 'Lovelace')],
    ['Multiply 90817 by 263.', compute('23884871')],
    ['How many days are there in 47 weeks and 3 days?', compute('332')],
    ['Put the text “Closed on Sunday” in a new file /sign.txt.', write('/sign.txt', 'Closed on Sunday')],
    ['I need a file /colors.txt that says: red, green, blue', write('/colors.txt', 'red, green, blue')],
    [
      'The year in /license.txt is wrong. Make it 2026 instead of 2025.',
      edit('/license.txt', 'Copyright 2025 Ada\n', ['2025', '2026']),
    ],
    ['Rename Alice to Carol in /guests.txt.', edit('/guests.txt', 'Alice\nBob\n', ['Alice', 'Carol'])],
    [
      'One of my files talks about a “compass”. Which one?',
      search('compass', '/trip/sea.md', ['/trip/land.md', '/y.md']),
    ],
    [
      'Search my files for “quartz” and tell me the file.',
      search('quartz', '/rocks.txt', ['/birds.txt', '/trees.txt']),
    ],
    [
      'Add up the amounts in /jan.txt and /feb.txt and name both.',
      twoCalls({ '/jan.txt': 'Amount: 128\n', '/feb.txt': 'Amount: 256\n' }, ['128', '256']),
    ],
    [
      'Which city does /from.txt name, and which one /to.txt?',
      twoCalls({ '/from.txt': 'City: Oslo\n', '/to.txt': 'City: Rome\n' }, ['Oslo', 'Rome']),
    ],
    [
      'What is the phone number in /contact.txt? I may have misspelled the name of the file.',
      failingFirst('/contact.txt', '/contacts.txt', 'Phone: 555-0148\n', '555-0148'),
    ],
    [
      'Show the title in /book/chapter.md. If there is no such file, find the right one.',
      failingFirst('/book/chapter.md', '/book/chapters.md', 'Title: The Long Way\n', 'The Long Way'),
    ],
    [
      'Copy the word in /word.txt into a new file /copy.txt.',
      readThenWrite({ '/word.txt': 'lighthouse\n' }, 'lighthouse', '/copy.txt', 'lighthouse'),
    ],
    [
      'Take the number from /age.txt, add 10, and save only the sum in /later.txt.',
      readThenWrite({ '/age.txt': '57\n' }, '57', '/later.txt', '67'),
    ],
    ['Which planet is closest to the sun?', none(/mercury/i)],
    ['Give me a synonym for “happy”.', none(/joy|glad|cheer|content|delight|pleased/i)],
    ['How do you say “thank you” in French?', none(/merci/i)],
    [
      'Give me the names of all the files in /data/2023.',
      list('/data/2023', ['january.csv', 'february.csv', 'march.csv', 'april.csv', 'may.csv']),
    ],
    [
      'File names in /games/chess?',
      list('/games/chess', ['openings.md', 'endgames.md', 'ratings.csv', 'puzzles.json']),
    ],
    [
      'Enumerate the files I keep in /writing/poems',
      list('/writing/poems', ['autumn.txt', 'the-ferry.txt', 'rain_song.md']),
    ],
    [
      "Can you show me what's inside /recipes?",
      list('/recipes', ['pancakes.md', 'lentil-soup.md', 'banana_bread.txt', 'curry.txt']),
    ],
    [
      'My sister put some files in /shared/wedding. Which files are they?',
      list('/shared/wedding', ['guests.csv', 'menu.md', 'seating.json', 'speech.txt']),
    ],
    [
      'I forgot what I saved in /trips/portugal. Could you tell me the file names?',
      list('/trips/portugal', ['packing.txt', 'budget.csv', 'hotels.json', 'itinerary.md']),
    ],
    [
      'From which platform does my train leave? My ticket details are in /travel/ticket.md.',
      read('/travel/ticket.md', '# Ticket\n\nTrain: IC 61\nPlatform: 14b\nSeat: 52\n', '14b'),
    ],
    [
      'Who is the author of The Glass Orchard? I wrote it down in /books/reading.yaml.',
      read(
        '/books/reading.yaml',
        '- title: Salt Roads\n  author: Tom Abara\n- title: The Glass Orchard\n  author: Mirela Stan\n',
        'Mirela Stan',
      ),
    ],
    [
      "What's our wifi network called, according to /home/router.txt?",
      read('/home/router.txt', 'Router: model A7\nNetwork: Lindenhof\nBand: 5 GHz\n', 'Lindenhof'),
    ],
    [
      'Open /garden/planting.md and tell me what grows in bed 3.',
      read(
        '/garden/planting.md',
        '# Planting plan\n\n- Bed 1: peas\n- Bed 2: carrots\n- Bed 3: fennel\n- Bed 4: onions\n',
        'fennel',
      ),
    ],
    [
      'How much is the rent in /finance/monthly.csv?',
      read('/finance/monthly.csv', 'item,amount\nrent,1185\nelectricity,74\nphone,29\n', '1185'),
    ],
    [
      "I can't remember the page title of /site/about.html, what is it?",
      read(
        '/site/about.html',
        '<html>\n<head><title>Harbour Street Bakery</title></head>\n<body><p>We open at seven.</p></body>\n</html>\n',
        'Harbour Street Bakery',
      ),
    ],
    [
      'I sold 387 jars at 1849 cents each, 1264 at 675 cents and 92 at 3310 cents. How many cents did I make altogether?',
      compute('1873283'),
    ],
    [
      'Count the letters in this sentence, without spaces and punctuation: On our way to the lighthouse we met a fisherman, three noisy children and a brown dog that carried an enormous stick, so nobody noticed the rain clouds.',
      compute('122'),
    ],
    ['Convert the hexadecimal number 3FA9C7 to decimal.', compute('4172231')],
    ['Please work out 7 to the power of 15.', compute('4747561509943')],
    ['Which number is the 437th prime, if 2 is the first one?', compute('3049')],
    ['Exactly how many seconds are 13 weeks, 4 days, 7 hours and 22 minutes?', compute('8234520')],
    [
      'Save the line “Dentist on Tuesday at 9:15” to /reminders/dentist.txt please',
      write('/reminders/dentist.txt', 'Dentist on Tuesday at 9:15'),
    ],
    ['new file /data/header.csv, content: name,age,city', write('/data/header.csv', 'name,age,city')],
    [
      'Can <h1>Summer Fair</h1> go into a file called /pages/fair.html? Nothing else in there.',
      write('/pages/fair.html', '<h1>Summer Fair</h1>'),
    ],
    [
      'Generate a file named /release.ini whose only line is “version=4.2.1” (without the quotes).',
      write('/release.ini', 'version=4.2.1'),
    ],
    [
      'I need a file /config/theme.json containing exactly {"theme":"dark"}',
      write('/config/theme.json', '{"theme":"dark"}'),
    ],
    [
      'Put this one line of Python into a new file /tools/hello.py: print("good evening")',
      write('/tools/hello.py', 'print("good evening")'),
    ],
    [
      'Honey costs 8.75 now, can you update /shop/prices.csv?',
      edit('/shop/prices.csv', 'product,price\nbread,3.20\nhoney,7.50\njam,4.10\n', ['honey,7.50', 'honey,8.75']),
    ],
    [
      'My cat is called Miso, not Mitzi. Correct that in /pets/cat.json.',
      edit('/pets/cat.json', '{\n  "name": "Mitzi",\n  "colour": "grey",\n  "age": 6\n}\n', ['Mitzi', 'Miso']),
    ],
    [
      'I want an ivory background instead of a white one in /web/card.css',
      edit('/web/card.css', '.card {\n  color: black;\n  background: white;\n}\n', ['white', 'ivory']),
    ],
    [
      'Add “- candles” as a new last line to /party/list.md',
      edit('/party/list.md', '- cups\n- napkins\n- juice\n', ['- juice', '- juice\n- candles']),
    ],
    [
      'Set the port in /deploy/server.yaml to 9090.',
      edit('/deploy/server.yaml', 'host: localhost\nport: 3000\ndebug: false\n', ['port: 3000', 'port: 9090']),
    ],
    [
      'In /team/roster.txt, replace Bertram with Yolanda.',
      edit('/team/roster.txt', 'Goalkeeper: Bertram\nDefender: Nuria\nStriker: Kofi\n', ['Bertram', 'Yolanda']),
    ],
    [
      'Look through the whole workspace for “Kowalczyk”. What file is it in?',
      search('Kowalczyk', '/clients/2020.csv', ['/clients/2019.csv', '/clients/2021.csv', '/invoices/open.txt']),
    ],
    [
      'Somewhere I wrote down the word quokka. In which file?',
      search('quokka', '/travel/week2.md', ['/travel/week1.md', '/travel/costs.csv', '/home/chores.txt']),
    ],
    [
      'find the file that contains TX-90417',
      search('TX-90417', '/orders/spring.csv', ['/orders/summer.csv', '/orders/winter.csv']),
    ],
    [
      'one of the files under /archive contains “saffron”, which?',
      search('saffron', '/archive/box12.txt', ['/archive/box07.txt', '/archive/box09.txt', '/archive/box31.txt']),
    ],
    [
      'Search my files for heartbeat_interval and tell me the name of the one that has it.',
      search('heartbeat_interval', '/service/defaults.ini', ['/service/main.py', '/service/routes.yaml']),
    ],
    [
      'Where does the word “obsidian” come up? Tell me the file.',
      search('obsidian', '/geology/lecture3.md', [
        '/geology/lecture1.md',
        '/geology/lecture2.md',
        '/geology/lecture4.md',
      ]),
    ],
    [
      'I need the flavour of the cake from /party/cake.txt plus the name of the band from /party/music.txt',
      twoCalls(
        {
          '/party/cake.txt': 'Size: large\nFlavour: pistachio\n',
          '/party/music.txt': 'Band: The Paper Kites\nStart: 20:30\n',
        },
        ['pistachio', 'Paper Kites'],
      ),
    ],
    [
      'How many visitors came on Saturday (see /stats/saturday.csv) and how many on Sunday (/stats/sunday.csv)?',
      twoCalls(
        {
          '/stats/saturday.csv': 'what,count\nvisitors,412\nstaff,9\n',
          '/stats/sunday.csv': 'what,count\nvisitors,539\nstaff,11\n',
        },
        ['412', '539'],
      ),
    ],
    [
      'My pen pals wrote /mail/letter1.md and /mail/letter2.md. Which village does each of them live in?',
      twoCalls(
        {
          '/mail/letter1.md': 'Hello!\n\nI live in a village called Monsanto.\nIt is full of big rocks.\n',
          '/mail/letter2.md': 'Dear friend,\n\nmy village is Hallstatt and it lies by a lake.\n',
        },
        ['Monsanto', 'Hallstatt'],
      ),
    ],
    [
      'Please check /logs/east.log and /logs/west.log: which device failed in each of them?',
      twoCalls(
        {
          '/logs/east.log': '06:00 pump-22 ok\n06:05 valve-17 failed\n06:10 fan-3 ok\n',
          '/logs/west.log': '06:00 pump-41 ok\n06:05 valve-8 ok\n06:10 sensor-64 failed\n',
        },
        ['valve-17', 'sensor-64'],
      ),
    ],
    [
      'What version is in /client/package.json, and what version is in /server/package.json?',
      twoCalls(
        {
          '/client/package.json': '{\n  "name": "client",\n  "version": "2.14.0"\n}\n',
          '/server/package.json': '{\n  "name": "server",\n  "version": "5.3.1"\n}\n',
        },
        ['2.14.0', '5.3.1'],
      ),
    ],
    [
      'Look up the teacher in /classes/art.yaml and the room in /classes/pottery.yaml.',
      twoCalls(
        {
          '/classes/art.yaml': 'day: Monday\nteacher: Ms. Haverkamp\nroom: B12\n',
          '/classes/pottery.yaml': 'day: Thursday\nteacher: Mr. Quinn\nroom: C305\n',
        },
        ['Haverkamp', 'C305'],
      ),
    ],
    [
      'Open /reports/sales_2022.csv (the year could be off) and give me the name of the seller.',
      failingFirst(
        '/reports/sales_2022.csv',
        '/reports/sales_2021.csv',
        'seller,region,total\nFigueroa,north,845\n',
        'Figueroa',
      ),
    ],
    [
      "i think it's called /music/playlist1.txt or similar, whats the first song in it",
      failingFirst(
        '/music/playlist1.txt',
        '/music/playlist-01.txt',
        '1. Copper Moon\n2. Slow Train Home\n3. Blue Kitchen\n',
        'Copper Moon',
      ),
    ],
    [
      'What street is given in /site/contact.html? Perhaps I misremember the file name.',
      failingFirst(
        '/site/contact.html',
        '/site/contacts.html',
        '<h2>Find us</h2>\n<p>Quarry Lane 18</p>\n<p>Open daily</p>\n',
        'Quarry Lane',
      ),
    ],
    [
      "What's the code word in /game/codeword.txt? I may have the file name slightly wrong.",
      failingFirst('/game/codeword.txt', '/game/code-word.txt', 'Level: 4\nCode word: pelican\n', 'pelican'),
    ],
    [
      'Read /baking/brownie.md (or whatever it is called exactly) and tell me which nuts go in.',
      failingFirst(
        '/baking/brownie.md',
        '/baking/brownies_v2.md',
        '# Brownies\n\n- dark chocolate\n- butter\n- hazelnuts\n',
        'hazelnut',
      ),
    ],
    [
      'What was the error name in /monitor/backup.log? Could be that I mixed up the file name.',
      failingFirst(
        '/monitor/backup.log',
        '/monitor/back_up.log',
        '01:00 start\n01:12 error ECONNRESET\n01:13 retry\n',
        'ECONNRESET',
      ),
    ],
    [
      'make /calm.txt with the content of /shout.txt in lower case',
      readThenWrite(
        { '/shout.txt': 'WINTER MARKET OPENS SOON\n' },
        'WINTER MARKET',
        '/calm.txt',
        'winter market opens soon',
      ),
    ],
    [
      'Count the names in /guests.txt and write nothing but the number (in digits) to /count.txt.',
      readThenWrite(
        { '/guests.txt': 'Henrik\nAmara\nLucia\nTobias\nWei\nFatima\nJonas\n' },
        'Henrik',
        '/count.txt',
        '7',
      ),
    ],
    [
      'Copy the text of /drafts/motto.txt into /final/motto.txt.',
      readThenWrite(
        { '/drafts/motto.txt': 'Small steps, every day\n' },
        'Small steps, every day',
        '/final/motto.txt',
        'Small steps, every day',
      ),
    ],
    [
      'I want the first word of /story/opening.md in a new file /story/first.txt, only that word.',
      readThenWrite(
        { '/story/opening.md': 'Moonlight fell on the empty square when the clock struck two.\n' },
        'Moonlight',
        '/story/first.txt',
        'Moonlight',
      ),
    ],
    [
      'Look up the email address in /people/nadia.yaml, then create /mailto.txt with only that address in it.',
      readThenWrite(
        { '/people/nadia.yaml': 'name: Nadia\nphone: none\nemail: nadia.k@example.org\n' },
        'nadia.k@example.org',
        '/mailto.txt',
        'nadia.k@example.org',
      ),
    ],
    [
      'Which version is set in /project/setup.py? Save the bare version number as /project/version.txt.',
      readThenWrite(
        { '/project/setup.py': 'from setuptools import setup\n\nsetup(\n    name="kite",\n    version="3.8.2",\n)\n' },
        '3.8.2',
        '/project/version.txt',
        '3.8.2',
      ),
    ],
    [
      'Thanks a lot, that was all for today!',
      none(
        /welcome|glad|pleasure|any ?time|bye|(great|good|nice|lovely|wonderful) (day|evening|one|rest)|take care|see you|happy to/i,
      ),
    ],
    ['What do bees make that people put on toast?', none(/honey/i)],
    [
      "My driving test is tomorrow and I'm a bit nervous. Wish me luck!",
      none(
        /good luck|best of luck|luck (to|with|on|for)|fingers crossed|you(['’]ve| have)? got this|all the best|you(['’]ll| will) (do|be)|wish(ing)? you|best wishes/i,
      ),
    ],
    ['Who wrote Romeo and Juliet?', none(/shakespeare/i)],
    ['How do you say “thank you” in German?', none(/danke|vielen dank/i)],
    ['How many legs does a spider have?', none(/\b(8|eight)\b/i)],
  ],
  zh: [
    ['告诉我 /音乐 里的文件名。', list('/音乐', ['华尔兹.mid', '探戈.mid', '波尔卡.mid'])],
    ['看一下目录 /备份，里面有什么？', list('/备份', ['周一.txt', '周五.txt'])],
    ['请打开 /菜谱.md，告诉我要烤多久。', read('/菜谱.md', '烤 35 分钟。\n', '35')],
    ['/关于.txt 里写的作者是谁？', read('/关于.txt', '作者：鲁迅\n', '鲁迅')],
    ['90817 乘以 263 是多少？', compute('23884871')],
    ['47 周零 3 天一共是多少天？', compute('332')],
    ['把“周日休息”写进新文件 /告示.txt。', write('/告示.txt', '周日休息')],
    ['我需要一个文件 /颜色.txt，内容是：红，绿，蓝', write('/颜色.txt', '红，绿，蓝')],
    ['/许可.txt 里的年份错了，把 2025 改为 2026。', edit('/许可.txt', '版权 2025 小明\n', ['2025', '2026'])],
    ['把 /客人.txt 里的小红换成小兰。', edit('/客人.txt', '小红\n小刚\n', ['小红', '小兰'])],
    ['我的哪个文件提到了“指南针”？', search('指南针', '/旅行/海.md', ['/旅行/陆.md', '/y.md'])],
    ['在我的文件里搜索“石英”，告诉我是哪个文件。', search('石英', '/石头.txt', ['/鸟.txt', '/树.txt'])],
    [
      '把 /一月.txt 和 /二月.txt 里的金额都告诉我。',
      twoCalls({ '/一月.txt': '金额：128\n', '/二月.txt': '金额：256\n' }, ['128', '256']),
    ],
    [
      '/起点.txt 里是哪个城市？/终点.txt 里又是哪个？',
      twoCalls({ '/起点.txt': '城市：北京\n', '/终点.txt': '城市：上海\n' }, ['北京', '上海']),
    ],
    [
      '/联系.txt 里的电话是多少？文件名我可能写错了。',
      failingFirst('/联系.txt', '/联系人.txt', '电话：555-0148\n', '555-0148'),
    ],
    [
      '显示 /书/章.md 里的标题。如果没有这个文件，就找出正确的那个。',
      failingFirst('/书/章.md', '/书/章节.md', '标题：漫长的路\n', '漫长的路'),
    ],
    ['把 /词.txt 里的词复制到新文件 /副本.txt。', readThenWrite({ '/词.txt': '灯塔\n' }, '灯塔', '/副本.txt', '灯塔')],
    [
      '取出 /年龄.txt 里的数字，加 10，只把和保存到 /以后.txt。',
      readThenWrite({ '/年龄.txt': '57\n' }, '57', '/以后.txt', '67'),
    ],
    ['离太阳最近的行星是哪颗？', none(/水星/)],
    ['给我一个“高兴”的近义词。', none(/快乐|开心|愉快|欢喜|喜悦|欢乐/)],
    ['“谢谢”用法语怎么说？', none(/merci/i)],
    ['帮我看看 /照片说明 文件夹里有哪些文件', list('/照片说明', ['黄山.txt', '西湖.txt', '长城.md'])],
    [
      '想知道 /日记 里面现在有些什么文件，把名字都写出来吧',
      list('/日记', ['一月.md', '二月.md', '三月.md', '四月.md']),
    ],
    [
      '告诉我 /shop/src 这个文件夹的内容，要完整的文件名',
      list('/shop/src', ['cart.js', 'style.css', 'index.html', 'api.py', 'data.json']),
    ],
    [
      '我的座位号忘了，应该在 /tickets/train.json 里，帮我找出来',
      read('/tickets/train.json', '{\n  "train": "G1305",\n  "seat": "11F",\n  "gate": "A4"\n}\n', '11F'),
    ],
    [
      '/家/快递.txt 里写的取件码是多少？',
      read('/家/快递.txt', '驿站：东门\n取件码：6-2-8071\n截止：周日\n', '6-2-8071'),
    ],
    ['根据 /菜单.csv，红烧肉卖多少钱？', read('/菜单.csv', '菜名,价格\n青菜,18\n红烧肉,67\n米饭,2\n', '67')],
    ['店里卖了268件1375元的外套、419双892元的鞋，还有57块6480元的手表，一共收入多少元？', compute('1111608')],
    ['从 2 开始数，第 300 个质数是哪个数？', compute('1987')],
    ['请算出 13 的 11 次方', compute('1792160394037')],
    ['在 /清单/水果.md 这个新文件里写上“苹果、香蕉、葡萄”，别的不要写', write('/清单/水果.md', '苹果、香蕉、葡萄')],
    ['我要一个 /test/hi.js 文件，只写一行代码：console.log(2024);', write('/test/hi.js', 'console.log(2024);')],
    ['请把下面这句话保存到 /notes/poem.txt：床前明月光', write('/notes/poem.txt', '床前明月光')],
    [
      '/作文.txt 里有个错别字，“在见”应该是“再见”，请改正',
      edit('/作文.txt', '放学了，同学们互相说在见。\n天上飘着几朵白云。\n', ['在见', '再见']),
    ],
    [
      '将 /库存.csv 里面铅笔的数量改为 250',
      edit('/库存.csv', '商品,数量\n橡皮,80\n铅笔,135\n尺子,42\n', ['铅笔,135', '铅笔,250']),
    ],
    [
      '/css/main.css 中的字体大小 14px 太小了，改成 18px 吧',
      edit('/css/main.css', 'body {\n  color: #333;\n  font-size: 14px;\n}\n', ['14px', '18px']),
    ],
    [
      '搜索一下 maxUploadSize，告诉我它出现在哪个文件',
      search('maxUploadSize', '/app/form.js', ['/app/login.js', '/app/main.css']),
    ],
    [
      '帮我找出包含“司徒静”这个名字的文件',
      search('司徒静', '/学生/三班.csv', ['/学生/一班.csv', '/学生/二班.csv', '/学生/四班.csv']),
    ],
    ['哪个文件里提到了“枇杷”？', search('枇杷', '/菜谱/甜品.txt', ['/菜谱/热菜.txt', '/菜谱/凉菜.txt'])],
    [
      '请读一下 /shop/a.json 和 /shop/b.json，告诉我两家店各自的电话分机号',
      twoCalls(
        {
          '/shop/a.json': '{\n  "name": "东店",\n  "ext": 7316\n}\n',
          '/shop/b.json': '{\n  "name": "西店",\n  "ext": 9458\n}\n',
        },
        ['7316', '9458'],
      ),
    ],
    [
      '/一组.txt 和 /二组.txt 的组长分别是谁？',
      twoCalls({ '/一组.txt': '组长：孙悦\n人数：5\n', '/二组.txt': '组长：郑凯\n人数：6\n' }, ['孙悦', '郑凯']),
    ],
    [
      '看看 /log/day1.log 和 /log/day2.log，每天的错误代码各是什么？',
      twoCalls(
        { '/log/day1.log': '08:00 启动\n08:30 错误 K1207\n', '/log/day2.log': '08:00 启动\n10:15 错误 M3364\n' },
        ['K1207', 'M3364'],
      ),
    ],
    [
      '我应该把歌名写在 /song-list.txt 了，也可能文件名不完全一样。第一首歌叫什么？',
      failingFirst('/song-list.txt', '/songlist.txt', '1. 远山的雨\n2. 小巷\n3. 渡口\n', '远山的雨'),
    ],
    [
      '好像有个文件叫 /data/user.csv，名字也许差一点，里面那位用户住在哪个城市？',
      failingFirst('/data/user.csv', '/data/users.csv', 'name,city\n钱多,洛阳\n', '洛阳'),
    ],
    [
      '/宠物/小猫.json 里的猫叫什么名字？要是文件名不对，就找个差不多的',
      failingFirst('/宠物/小猫.json', '/宠物/猫.json', '{\n  "名字": "汤圆",\n  "年龄": 3\n}\n', '汤圆'),
    ],
    [
      '/名单.md 里一共有几个人？把人数用阿拉伯数字写进 /人数.txt，不要写别的',
      readThenWrite({ '/名单.md': '- 林浩\n- 周敏\n- 吴桐\n- 何静\n- 罗平\n' }, '林浩', '/人数.txt', '5'),
    ],
    [
      '把 /口号.txt 的内容原样复制到 /口号副本.txt',
      readThenWrite({ '/口号.txt': '安全第一，预防为主\n' }, '安全第一', '/口号副本.txt', '安全第一，预防为主'),
    ],
    [
      '读取 /code.txt 里的单词，改成全大写后写入 /code_upper.txt',
      readThenWrite({ '/code.txt': 'bamboo\n' }, 'bamboo', '/code_upper.txt', 'BAMBOO'),
    ],
    ['一年有几个季节？', none(/[四4]/)],
    ['把“我喜欢喝茶”翻译成英文', none(/(like|love|enjoy)\b.*\btea/i)],
  ],
};
