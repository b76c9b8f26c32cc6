// More than 400 lines: all questions of the set, in both languages, in one place.
import { compute, edit, failingFirst, list, none, read, readThenWrite, search, twoCalls, write } from '../graders.ts';
import type { Language, Wanted } from '../task.ts';

const POEM = 'Roses are red,\nviolets are blue.\n';
const CONFIG = 'host = "example.org"\nport = 8080\ndebug = false\n';

/** For choosing words. */
export const TUNING: Readonly<Record<Language, readonly (readonly [ask: string, wanted: Wanted])[]>> = {
  en: [
    ['Which files are in /notes?', list('/notes', ['plan.md', 'todo.txt', 'ideas.md'])],
    ['What does /todo.txt say?', read('/todo.txt', 'Buy milk and 12 eggs.\n', '12 eggs')],
    ['Compute 123456 * 789.', compute('97406784')],
    ['Create the file /hello.txt with the text: Hello, Ada', write('/hello.txt', 'Hello, Ada')],
    ['Change the port in /config.toml from 8080 to 9090.', edit('/config.toml', CONFIG, ['8080', '9090'])],
    ['Which file contains the word “pelican”?', search('pelican', '/b.txt', ['/a.txt', '/c.txt'])],
    [
      'What are the numbers in /one.txt and in /two.txt?',
      twoCalls({ '/one.txt': 'The number is 417.\n', '/two.txt': 'The number is 902.\n' }, ['417', '902']),
    ],
    [
      'What is the code in /secret.txt? If that name is wrong, look for a similar one.',
      failingFirst('/secret.txt', '/secrets.txt', 'The code is K7-Q2.\n', 'K7-Q2'),
    ],
    [
      'Read /name.txt and write a file /greeting.txt that says “Hello” and the name, nothing else.',
      readThenWrite({ '/name.txt': 'Grace\n' }, 'Grace', '/greeting.txt', 'Hello Grace'),
    ],
    ['What is the capital of France?', none(/paris/i)],
    ['Thanks! What does “HTML” stand for?', none(/hyper\s?text/i)],
    ['List the contents of the folder /src.', list('/src', ['main.ts', 'util.ts', 'types.ts'])],
    ['What is in /photos?', list('/photos', ['beach.jpg.txt', 'forest.jpg.txt'])],
    ['Show me what /poem.txt says.', read('/poem.txt', POEM, 'violets are blue')],
    ['Which host is set in /config.toml?', read('/config.toml', CONFIG, 'example.org')],
    ['How much is 4821 * 3977?', compute('19173117')],
    ['What is the sum of all whole numbers from 1 to 4321?', compute('9337681')],
    ['Write “See you at noon” into /message.txt.', write('/message.txt', 'See you at noon')],
    ['Save the text 2 + 2 = 4 as /math.txt.', write('/math.txt', '2 + 2 = 4')],
    ['In /poem.txt, replace “red” with “white”.', edit('/poem.txt', POEM, ['red', 'white'])],
    ['Turn debug on in /config.toml.', edit('/config.toml', CONFIG, ['debug = false', 'debug = true'])],
    ['Find the file in which “walnut” is mentioned.', search('walnut', '/docs/trees.md', ['/docs/birds.md', '/x.md'])],
    ['Where does the word “lantern” appear?', search('lantern', '/story.txt', ['/diary.txt', '/letter.txt'])],
    [
      'Compare /old.txt and /new.txt: which version does each of them name?',
      twoCalls({ '/old.txt': 'Version 1.8.3\n', '/new.txt': 'Version 2.4.0\n' }, ['1.8.3', '2.4.0']),
    ],
    [
      'Who is named in /left.txt, and who in /right.txt?',
      twoCalls({ '/left.txt': 'Name: Turing\n', '/right.txt': 'Name: Hopper\n' }, ['Turing', 'Hopper']),
    ],
    [
      'Read /invoice.txt and tell me the total. The file may have a slightly different name.',
      failingFirst('/invoice.txt', '/invoices.txt', 'Total: 318.40 EUR\n', '318.40'),
    ],
    [
      'What does /docs/licence.md say? If it is not there, look in the folder.',
      failingFirst('/docs/licence.md', '/docs/license.md', 'Published under Apache-2.0.\n', 'Apache-2.0'),
    ],
    [
      'Look up the city in /city.txt and create /answer.txt with just that city.',
      readThenWrite({ '/city.txt': 'Lisbon\n' }, 'Lisbon', '/answer.txt', 'Lisbon'),
    ],
    [
      'Read the number in /n.txt, double it, and write only the result to /double.txt.',
      readThenWrite({ '/n.txt': '236\n' }, '236', '/double.txt', '472'),
    ],
    ['Who wrote “Romeo and Juliet”?', none(/shakespeare/i)],
    ['Hi! In one sentence: what is photosynthesis?', none(/light|sun/i)],
    ['Translate “good morning” into Spanish.', none(/buenos/i)],
    [
      'Look into /logs and tell me how the files there are called.',
      list('/logs', ['server.log', 'auth.log', 'cron.log']),
    ],
    [
      'I need an overview of the files in /scripts: which ones are there?',
      list('/scripts', ['resize.py', 'snapshot.sh', 'rename.js', 'cleanup.py']),
    ],
    [
      "What's stored in the directory /app/config? The full file names, please.",
      list('/app/config', ['database.yaml', 'logging.ini', 'features.json', 'routes.yaml']),
    ],
    ['List everything in the folder /website/css please', list('/website/css', ['main.css', 'print.css', 'reset.css'])],
    [
      'Is there anything in /backup? Name every file you see.',
      list('/backup', ['contacts.json', 'bookmarks.html', 'letters.txt']),
    ],
    [
      'what files do i have under /school/biology',
      list('/school/biology', ['cells.md', 'genetics.md', 'exam-dates.txt']),
    ],
    [
      'I need the last name of our dentist, please check /contacts/doctors.txt',
      read(
        '/contacts/doctors.txt',
        'Family doctor: Dr. Brandt\nDentist: Dr. Okonkwo\nEye doctor: Dr. Silva\n',
        'Okonkwo',
      ),
    ],
    [
      'tell me the port number from /server/settings.ini',
      read('/server/settings.ini', '[network]\nhost = 0.0.0.0\nport = 8472\n\n[cache]\nenabled = true\n', '8472'),
    ],
    [
      'What error code shows up in /var/upload.log?',
      read(
        '/var/upload.log',
        '09:02 INFO upload started\n09:03 INFO half done\n09:05 ERROR code E4471\n09:06 INFO stopped\n',
        'E4471',
      ),
    ],
    [
      'Which license does my project use? It should be in /package.json',
      read(
        '/package.json',
        '{\n  "name": "tide-clock",\n  "version": "0.4.0",\n  "license": "MPL-2.0"\n}\n',
        'MPL-2.0',
      ),
    ],
    [
      'Check /src/constants.js for me. What value does MAX_RETRIES have?',
      read(
        '/src/constants.js',
        'export const TIMEOUT = 500;\nexport const MAX_RETRIES = 37;\nexport const VERBOSE = false;\n',
        '37',
      ),
    ],
    [
      'Look at /css/theme.css. What colour code is the header background?',
      read('/css/theme.css', 'body {\n  background: #fdfcf7;\n}\nheader {\n  background: #2f6d8a;\n}\n', '#2f6d8a'),
    ],
    ["What's 48,317 times 9,264?", compute('447608688')],
    ['Divide 987654321987 by 7919 and tell me the remainder', compute('7562')],
    ['Add up all the whole numbers from 137 to 2486 (both included).', compute('3082025')],
    ['How many days after 9 February 2011 is 23 October 2025?', compute('5370')],
    ['Can you give me the sum of the squares of the numbers 1 to 345?', compute('13747445')],
    ['how many prime numbers are there between 2000 and 5000', compute('366')],
    [
      'Type the words “red bicycle for sale” into a fresh file at /ads/bike.txt.',
      write('/ads/bike.txt', 'red bicycle for sale'),
    ],
    [
      'Store these words in /quotes/today.txt: the river does not hurry',
      write('/quotes/today.txt', 'the river does not hurry'),
    ],
    [
      'Create /shopping.txt with the text “milk, bread and two lemons”',
      write('/shopping.txt', 'milk, bread and two lemons'),
    ],
    [
      'Could you start a file /todo/monday.md with nothing but the words “Call Aunt Petra back” in it?',
      write('/todo/monday.md', 'Call Aunt Petra back'),
    ],
    [
      'Please make a new file /greeting.md that says: Welcome to our little book club!',
      write('/greeting.md', 'Welcome to our little book club!'),
    ],
    [
      'Make /styles/base.css with just this rule, on one line: body { margin: 0; }',
      write('/styles/base.css', 'body { margin: 0; }'),
    ],
    [
      'Make the heading in /start.html say “Opening Hours” instead of “Hello World”.',
      edit(
        '/start.html',
        '<html>\n<body>\n<h1>Hello World</h1>\n<p>Monday to Friday, 8 to 17</p>\n</body>\n</html>\n',
        ['Hello World', 'Opening Hours'],
      ),
    ],
    [
      'The meeting moved. Please change Wednesday to Friday in /calendar/meeting.md',
      edit('/calendar/meeting.md', '# Project meeting\n\nWhen: Wednesday, 10:00\nWhere: Room 4\n', [
        'Wednesday',
        'Friday',
      ]),
    ],
    [
      'Please take the word “rather” out of /essay/intro.txt',
      edit('/essay/intro.txt', 'The old mill was a rather quiet place.\nNobody lived there anymore.\n', [
        'rather ',
        '',
      ]),
    ],
    [
      'Rename the function oldTotal to cartTotal in /src/cart.js',
      edit(
        '/src/cart.js',
        'export function oldTotal(items) {\n  return items.reduce((sum, item) => sum + item.price, 0);\n}\n',
        ['oldTotal', 'cartTotal'],
      ),
    ],
    [
      'Turn debug on in /app.ini by setting it to true.',
      edit('/app.ini', '[main]\nname = ferry\ndebug = false\n', ['debug = false', 'debug = true']),
    ],
    [
      'fix the typo “recieve” in /letters/thanks.txt, it should be “receive”',
      edit('/letters/thanks.txt', 'Dear Ms. Lund,\nwe were so happy to recieve your parcel.\nBest wishes, Otto\n', [
        'recieve',
        'receive',
      ]),
    ],
    [
      'I lost track of where I noted the name Thessaloniki. Can you find the file for me?',
      search('Thessaloniki', '/family/holidays.txt', ['/family/birthdays.txt', '/family/addresses.csv']),
    ],
    [
      'Which of my files mentions “marzipan”?',
      search('marzipan', '/kitchen/sweets.txt', ['/kitchen/soups.txt', '/garden/beds.md']),
    ],
    [
      "What's the name of the file where legacyParser appears?",
      search('legacyParser', '/lib/convert.js', ['/lib/format.js', '/lib/index.js', '/test/run.js']),
    ],
    [
      "There's a file with the word bassoon in it, which one is it?",
      search('bassoon', '/music/orchestra.json', ['/music/choir.json', '/music/bands.json', '/music/notes.txt']),
    ],
    [
      'Could you locate the text ERR_7713? I only need to know which file has it.',
      search('ERR_7713', '/logs/night.log', ['/logs/morning.log', '/logs/noon.log']),
    ],
    [
      "I'm looking for the file that has the word glaciers in it.",
      search('glaciers', '/essays/draft_b.md', ['/essays/draft_a.md', '/essays/draft_c.md']),
    ],
    [
      'Read /cities/oslo.json and /cities/lima.json and give me the name of the hotel in each.',
      twoCalls(
        {
          '/cities/oslo.json': '{\n  "hotel": "Fjordlyst",\n  "nights": 3\n}\n',
          '/cities/lima.json': '{\n  "hotel": "Casa Mirador",\n  "nights": 5\n}\n',
        },
        ['Fjordlyst', 'Casa Mirador'],
      ),
    ],
    [
      'What does greet() print in /one.py, and what does it print in /two.py?',
      twoCalls(
        {
          '/one.py': 'def greet():\n    print("ahoy sailor")\n',
          '/two.py': 'def greet():\n    print("howdy partner")\n',
        },
        ['ahoy sailor', 'howdy partner'],
      ),
    ],
    [
      'Tell me both prices: the one in /offers/plumber.md and the one in /offers/electrician.md.',
      twoCalls(
        {
          '/offers/plumber.md': '# Offer\n\nKitchen sink\nPrice: 640 euros\n',
          '/offers/electrician.md': '# Offer\n\nNew fuse box\nPrice: 785 euros\n',
        },
        ['640', '785'],
      ),
    ],
    [
      'which database host is set in /conf/dev.ini and which one in /conf/prod.ini',
      twoCalls(
        {
          '/conf/dev.ini': '[database]\nhost = walnut.local\nport = 5432\n',
          '/conf/prod.ini': '[database]\nhost = cedar.example.com\nport = 5432\n',
        },
        ['walnut.local', 'cedar.example.com'],
      ),
    ],
    [
      "What's the accent colour code in /themes/dawn.css? And in /themes/dusk.css?",
      twoCalls(
        {
          '/themes/dawn.css': ':root {\n  --accent: #f4a261;\n}\n',
          '/themes/dusk.css': ':root {\n  --accent: #264653;\n}\n',
        },
        ['#f4a261', '#264653'],
      ),
    ],
    [
      'Who is the captain in /teams/red.txt and who is the captain in /teams/blue.txt?',
      twoCalls(
        { '/teams/red.txt': 'Captain: Delphine\nCoach: Marek\n', '/teams/blue.txt': 'Captain: Rashid\nCoach: Olga\n' },
        ['Delphine', 'Rashid'],
      ),
    ],
    [
      'There should be a file like /customers/andersen.json. Which city is that customer from?',
      failingFirst(
        '/customers/andersen.json',
        '/customers/anderson.json',
        '{\n  "name": "Joyce Anderson",\n  "city": "Gothenburg"\n}\n',
        'Gothenburg',
      ),
    ],
    [
      'Find out which number getLimit returns in /src/limit.js. Not 100% sure about that file name though.',
      failingFirst('/src/limit.js', '/src/limits.js', 'export function getLimit() {\n  return 2750;\n}\n', '2750'),
    ],
    [
      'Which database engine does /app/setting.yaml name? The spelling of the file might be a little different.',
      failingFirst('/app/setting.yaml', '/app/settings.yaml', 'engine: mariadb\npool: 12\nlogging: off\n', 'mariadb'),
    ],
    [
      'My essay is at /homework/volcanos.md, I believe. Which volcano is it about?',
      failingFirst(
        '/homework/volcanos.md',
        '/homework/volcanoes.md',
        '# My volcano essay\n\nCotopaxi is one of the highest volcanoes in the world.\n',
        'Cotopaxi',
      ),
    ],
    [
      'Tell me the serial number in /devices/printer.ini, or maybe the file is named a bit differently.',
      failingFirst(
        '/devices/printer.ini',
        '/devices/office-printer.ini',
        '[printer]\nmodel = LaserJet\nserial = QX-5582\n',
        'QX-5582',
      ),
    ],
    [
      "Who signed /contracts/lease.txt? I think that's the name, not sure.",
      failingFirst(
        '/contracts/lease.txt',
        '/contracts/lease.md',
        '# Lease\n\nFlat 5, second floor\nSigned: Ingrid Falk\n',
        'Ingrid Falk',
      ),
    ],
    [
      'Put the last line of /jobs/run.log, exactly as it is, into /jobs/last.txt',
      readThenWrite(
        { '/jobs/run.log': 'step one done\nstep two done\nfinished with warnings\n' },
        'finished with warnings',
        '/jobs/last.txt',
        'finished with warnings',
      ),
    ],
    [
      'Read the name in /name.txt and write it in capital letters to /badge.txt.',
      readThenWrite({ '/name.txt': 'Rosalind\n' }, 'Rosalind', '/badge.txt', 'ROSALIND'),
    ],
    [
      'Get the page title out of /hobby.html and store just the title text in /title.txt',
      readThenWrite(
        { '/hobby.html': '<html>\n<head><title>Beekeeping for Beginners</title></head>\n<body>Soon</body>\n</html>\n' },
        'Beekeeping for Beginners',
        '/title.txt',
        'Beekeeping for Beginners',
      ),
    ],
    [
      'Add the two numbers in /math/pair.txt and put just the sum into /math/sum.txt',
      readThenWrite({ '/math/pair.txt': '418\n267\n' }, '418', '/math/sum.txt', '685'),
    ],
    [
      'Please read the word in /mirror/in.txt and write it backwards to /mirror/out.txt',
      readThenWrite({ '/mirror/in.txt': 'cobalt\n' }, 'cobalt', '/mirror/out.txt', 'tlaboc'),
    ],
    [
      'Take the city from /order.json and save only the city name to /label.txt.',
      readThenWrite(
        { '/order.json': '{\n  "item": "lamp",\n  "city": "Valparaiso",\n  "express": true\n}\n' },
        'Valparaiso',
        '/label.txt',
        'Valparaiso',
      ),
    ],
    ['A ripe banana is usually which colour?', none(/yellow/i)],
    ["what's the opposite of hot", none(/cold/i)],
    ['Name the gas that plants take in from the air to make their food.', none(/carbon dioxide|co2|co₂/i)],
    ['Can you tell me what language most people speak in Brazil?', none(/portuguese/i)],
    ['Translate “the house is red” into French.', none(/maison est rouge/i)],
  ],
  zh: [
    ['/笔记 里有哪些文件？', list('/笔记', ['计划.md', '待办.txt', '想法.md'])],
    ['/待办.txt 里写了什么？', read('/待办.txt', '买牛奶和 12 个鸡蛋。\n', '12 个鸡蛋')],
    ['计算 123456 乘以 789。', compute('97406784')],
    ['创建文件 /你好.txt，内容是：你好，小明', write('/你好.txt', '你好，小明')],
    ['把 /config.toml 里的端口从 8080 改成 9090。', edit('/config.toml', CONFIG, ['8080', '9090'])],
    ['哪个文件里有“鹈鹕”这个词？', search('鹈鹕', '/b.txt', ['/a.txt', '/c.txt'])],
    [
      '/一.txt 和 /二.txt 里的数字分别是多少？',
      twoCalls({ '/一.txt': '数字是 417。\n', '/二.txt': '数字是 902。\n' }, ['417', '902']),
    ],
    [
      '/密码.txt 里的密码是什么？如果文件名不对，就找一个相似的文件。',
      failingFirst('/密码.txt', '/密码本.txt', '密码是 K7-Q2。\n', 'K7-Q2'),
    ],
    [
      '读取 /名字.txt，然后写一个文件 /问候.txt，内容是“你好”加上这个名字，不要别的内容。',
      readThenWrite({ '/名字.txt': '小红\n' }, '小红', '/问候.txt', '你好小红'),
    ],
    ['法国的首都是哪里？', none(/巴黎/)],
    ['谢谢！“HTML”是什么的缩写？', none(/hyper\s?text|超文本/i)],
    ['列出文件夹 /源码 的内容。', list('/源码', ['main.ts', 'util.ts', 'types.ts'])],
    ['/照片 里面有什么？', list('/照片', ['海边.txt', '森林.txt'])],
    ['给我看看 /诗.txt 的内容。', read('/诗.txt', '床前明月光，\n疑是地上霜。\n', '疑是地上霜')],
    ['/config.toml 里设置的主机是什么？', read('/config.toml', CONFIG, 'example.org')],
    ['4821 乘以 3977 等于多少？', compute('19173117')],
    ['从 1 到 4321 的所有整数之和是多少？', compute('9337681')],
    ['把“中午见”写入 /留言.txt。', write('/留言.txt', '中午见')],
    ['把文本 2 + 2 = 4 保存为 /数学.txt。', write('/数学.txt', '2 + 2 = 4')],
    ['在 /诗.txt 里，把“地上”改成“天上”。', edit('/诗.txt', '床前明月光，\n疑是地上霜。\n', ['地上', '天上'])],
    ['把 /config.toml 里的 debug 打开。', edit('/config.toml', CONFIG, ['debug = false', 'debug = true'])],
    ['找出提到“核桃”的文件。', search('核桃', '/资料/树.md', ['/资料/鸟.md', '/x.md'])],
    ['“灯笼”这个词出现在哪个文件里？', search('灯笼', '/故事.txt', ['/日记.txt', '/信.txt'])],
    [
      '比较 /旧.txt 和 /新.txt：它们各是什么版本？',
      twoCalls({ '/旧.txt': '版本 1.8.3\n', '/新.txt': '版本 2.4.0\n' }, ['1.8.3', '2.4.0']),
    ],
    [
      '/左.txt 里写的是谁？/右.txt 里写的又是谁？',
      twoCalls({ '/左.txt': '姓名：张衡\n', '/右.txt': '姓名：沈括\n' }, ['张衡', '沈括']),
    ],
    [
      '读取 /账单.txt 并告诉我总额。文件名可能略有不同。',
      failingFirst('/账单.txt', '/账单1.txt', '总额：318.40 元\n', '318.40'),
    ],
    [
      '/文档/许可.md 里写了什么？如果没有这个文件，就看看文件夹里有什么。',
      failingFirst('/文档/许可.md', '/文档/许可证.md', '以 Apache-2.0 发布。\n', 'Apache-2.0'),
    ],
    [
      '查看 /城市.txt 里的城市，并创建 /答案.txt，里面只写这个城市。',
      readThenWrite({ '/城市.txt': '里斯本\n' }, '里斯本', '/答案.txt', '里斯本'),
    ],
    [
      '读取 /n.txt 里的数字，乘以二，只把结果写入 /double.txt。',
      readThenWrite({ '/n.txt': '236\n' }, '236', '/double.txt', '472'),
    ],
    ['《红楼梦》的作者是谁？', none(/曹雪芹/)],
    ['你好！用一句话说明：什么是光合作用？', none(/光/)],
    ['把“早上好”翻译成西班牙语。', none(/buenos/i)],
    ['/homework 目录下都有什么文件？', list('/homework', ['math.md', 'english.txt', 'physics.md', 'history.txt'])],
    ['请把 /公司/合同 里的文件名全部列出来。', list('/公司/合同', ['租房.md', '采购.txt', '保密.txt'])],
    ['我在 /lyrics 里存了哪几个文件来着？', list('/lyrics', ['moon.txt', 'river.txt', 'home.md'])],
    [
      '/旅行/酒店.md 里记的是哪家酒店？',
      read('/旅行/酒店.md', '# 住宿\n\n酒店：听涛阁\n入住：周五\n房型：大床房\n', '听涛阁'),
    ],
    [
      '请查一下 /config/app.yaml 里面设置的时区是什么',
      read('/config/app.yaml', 'name: demo\ntimezone: Asia/Urumqi\nlanguage: zh\n', 'Asia/Urumqi'),
    ],
    [
      '打开 /work/plan.md，看看这个项目的负责人是谁',
      read('/work/plan.md', '# 项目计划\n\n名称：新网站\n负责人：欧阳雪\n预算：待定\n', '欧阳雪'),
    ],
    ['帮我求一下 1092、1650 和 2484 的最小公倍数', compute('62162100')],
    ['2008年8月8日到2026年3月15日相差多少天？', compute('6428')],
    ['73586 乘以 4917 等于多少？', compute('361822362')],
    ['帮我创建一个文件 /web/title.html，里面只有 <h1>欢迎光临</h1>', write('/web/title.html', '<h1>欢迎光临</h1>')],
    ['新建 /备忘.txt，内容写“周五下午三点开会”', write('/备忘.txt', '周五下午三点开会')],
    ['生成 /settings.json，内容就是 {"lang":"zh"}', write('/settings.json', '{"lang":"zh"}')],
    [
      '帮忙把 /server.ini 的 timeout 设为 90',
      edit('/server.ini', '[server]\nport = 7000\ntimeout = 30\n', ['timeout = 30', 'timeout = 90']),
    ],
    [
      '聚会改到星期六了，请更新 /活动/聚会.md 里的星期四',
      edit('/活动/聚会.md', '# 同学聚会\n\n时间：星期四晚上七点\n地点：老城火锅\n', ['星期四', '星期六']),
    ],
    [
      '把 /通讯录.txt 里的“王芳”改成“王芬”',
      edit('/通讯录.txt', '经理：李强\n会计：王芳\n司机：赵刚\n', ['王芳', '王芬']),
    ],
    [
      '在所有文件里查找“萤火虫”，只要告诉我文件名',
      search('萤火虫', '/故事/夏夜.md', ['/故事/冬日.md', '/故事/春雨.md']),
    ],
    [
      '我记得写过“敦煌”这个词，在哪个文件里？',
      search('敦煌', '/travel/west.md', ['/travel/north.md', '/travel/south.md', '/budget.csv']),
    ],
    [
      '订单号 DD58213 记在什么文件里了？',
      search('DD58213', '/orders/june.txt', ['/orders/july.txt', '/orders/august.txt']),
    ],
    [
      '/env/test.ini 用的是哪台主机？/env/live.ini 呢？',
      twoCalls(
        { '/env/test.ini': '[main]\nhost = panda.local\n', '/env/live.ini': '[main]\nhost = crane.example.cn\n' },
        ['panda.local', 'crane.example.cn'],
      ),
    ],
    [
      '帮我查 /书单/小说.txt 里的书名，还有 /书单/诗集.txt 里的书名',
      twoCalls({ '/书单/小说.txt': '书名：北方的灯塔\n页数：312\n', '/书单/诗集.txt': '书名：落叶集\n页数：96\n' }, [
        '北方的灯塔',
        '落叶集',
      ]),
    ],
    [
      '我想知道 /周一.md 的早餐和 /周二.md 的早餐各是什么',
      twoCalls({ '/周一.md': '早餐：小笼包\n午餐：米饭\n', '/周二.md': '早餐：豆腐脑\n午餐：面条\n' }, [
        '小笼包',
        '豆腐脑',
      ]),
    ],
    [
      '/文档/会议纪要.txt 里写的下次开会地点是哪里？文件名我可能记得不太准。',
      failingFirst('/文档/会议纪要.txt', '/文档/会议记录.txt', '主题：年终总结\n下次地点：望江厅\n', '望江厅'),
    ],
    [
      '打开 /config/databse.yaml，拼写不一定对，告诉我里面的节点编号 node_id 是什么',
      failingFirst('/config/databse.yaml', '/config/database.yaml', 'engine: sqlite\nnode_id: HZ-6620\n', 'HZ-6620'),
    ],
    [
      '帮我看 /菜谱/鱼香肉丝.md（扩展名不确定），里面说用什么醋？',
      failingFirst('/菜谱/鱼香肉丝.md', '/菜谱/鱼香肉丝.txt', '猪肉三百克\n镇江香醋两勺\n白糖一勺\n', '镇江香醋'),
    ],
    [
      '从 /profile.json 里取出姓名，新建 /姓名.txt，里面只写姓名',
      readThenWrite(
        { '/profile.json': '{\n  "姓名": "慕容白",\n  "职业": "教师"\n}\n' },
        '慕容白',
        '/姓名.txt',
        '慕容白',
      ),
    ],
    [
      '将 /诗/全文.txt 的最后一行存到 /诗/结尾.txt，一字不改',
      readThenWrite(
        { '/诗/全文.txt': '小船靠了岸\n灯也灭了\n只有风还醒着\n' },
        '只有风还醒着',
        '/诗/结尾.txt',
        '只有风还醒着',
      ),
    ],
    [
      '请把 /账单/水电.csv 里两项金额加起来，只把总数写到 /账单/合计.txt',
      readThenWrite({ '/账单/水电.csv': '项目,金额\n水费,86\n电费,239\n' }, '239', '/账单/合计.txt', '325'),
    ],
    ['谢谢你，今天就先到这里吧！', none(/不客气|不用谢|不谢|别客气|再见|拜拜|愉快|高兴|祝你|祝您|随时|下次/)],
    ['“苹果”用英语怎么说？', none(/apple/i)],
    ['太阳从哪个方向升起？', none(/东|east/i)],
  ],
};
