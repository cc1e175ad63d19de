import { testCases, udp } from './identity-lines.js';

testCases([
  {
    what: 'two of one name and group that swap their addresses keep their guide ids',
    previous: [
      ['Sport', udp(1), 'sport.de', 'G'],
      ['Sport', udp(2), 'sport.fr', 'G'],
    ],
    next: [
      ['Sport', udp(2), 'sport.de', 'G'],
      ['Sport', udp(1), 'sport.fr', 'G'],
    ],
    continues: [0, 1],
  },
  {
    what: 'two without names that swap their addresses keep their guide ids',
    previous: [
      ['', udp(1), 'a', 'G'],
      ['', udp(2), 'b', 'G'],
    ],
    next: [
      ['', udp(2), 'a', 'G'],
      ['', udp(1), 'b', 'G'],
    ],
    continues: [0, 1],
  },
  {
    what: 'two that swap their addresses and are renamed keep their guide ids',
    previous: [
      ['A', udp(1), 'a', 'G'],
      ['B', udp(2), 'b', 'G'],
    ],
    next: [
      ['Alpha', udp(2), 'a', 'G'],
      ['Beta', udp(1), 'b', 'G'],
    ],
    continues: [0, 1],
  },
  {
    what: 'two without ids that swap their addresses and are renamed alike are not taken for one another',
    previous: [
      ['Arte', udp(1), null, 'G'],
      ['Phoenix', udp(2), null, 'G'],
    ],
    next: [
      ['Arte Deutsch', udp(2), null, 'G'],
      ['Phoenix Deutsch', udp(1), null, 'G'],
    ],
    continues: [null, null],
  },
  {
    what: 'two of one name in two groups that swap their addresses are not taken for one another',
    previous: [
      ['News', udp(1), null, 'UK'],
      ['News', udp(2), null, 'DE'],
    ],
    next: [
      ['News', udp(2), null, 'UK'],
      ['News', udp(1), null, 'DE'],
    ],
    continues: [null, null],
  },
  {
    what: 'two whose names differ in a flag only keep them when they swap their addresses',
    previous: [
      ['🇬🇧 News', udp(1), null, 'G'],
      ['🇩🇪 News', udp(2), null, 'G'],
    ],
    next: [
      ['🇬🇧 News', udp(2), null, 'G'],
      ['🇩🇪 News', udp(1), null, 'G'],
    ],
    continues: [0, 1],
  },
  {
    what: 'an address that goes to another channel of the group, with another guide id, is suspect',
    previous: [['Discovery', udp(1), 'discovery.uk', 'General']],
    next: [['Eurosport', udp(1), 'eurosport.uk', 'General']],
    continues: [null],
  },
  {
    what: 'a new spelling with a new guide id at one address is a rename',
    previous: [['BBC One', udp(1), 'bbcone.uk', 'UK']],
    next: [['UK: BBC One HD', udp(1), 'bbc1.uk', 'UK']],
    continues: [0],
  },
  {
    what: 'another quality in another group at one address is a rename',
    previous: [['BBC One', udp(1), null, 'UK']],
    next: [['BBC One HD', udp(1), null, 'United Kingdom']],
    continues: [0],
  },
  {
    what: 'a quality that goes and another that comes at a new address are two channels, whatever guide id they share',
    previous: [
      ['News HD', udp(1), 'news', 'G'],
      ['News SD', udp(2), 'news', 'G'],
    ],
    next: [
      ['News SD', udp(2), 'news', 'G'],
      ['News UHD', udp(9), 'news', 'G'],
    ],
    continues: [1, null],
  },
  {
    what: 'the only quality that goes and another that comes at a new address are two channels',
    previous: [['News SD', udp(1), 'news', 'G']],
    next: [['News HD', udp(9), 'news', 'G']],
    continues: [null],
  },
  {
    what: 'a new name and address with an id that nothing else has is the same channel',
    previous: [
      ['Das Erste', udp(1), 'ard.de', 'G'],
      ['ZDF', udp(2), 'zdf.de', 'G'],
    ],
    next: [
      ['ARD', udp(9), 'ard.de', 'G'],
      ['ZDF', udp(2), 'zdf.de', 'G'],
    ],
    continues: [0, 1],
  },
  {
    what: 'one of two of a name that goes while another of the name comes at a new address is not that one',
    previous: [
      ['Sport', udp(1), null, 'G'],
      ['Sport', udp(2), null, 'G'],
    ],
    next: [
      ['Sport', udp(1), null, 'G'],
      ['Sport', udp(3), null, 'G'],
    ],
    continues: [0, null],
  },
  {
    what: 'one of two of a name that takes part in a round of addresses is found by its name',
    previous: [
      ['Sport', udp(1), null, 'G'],
      ['Sport', udp(2), null, 'G'],
      ['Film', udp(3), null, 'G'],
      ['News', udp(4), null, 'G'],
    ],
    next: [
      ['Sport', udp(1), null, 'G'],
      ['Sport', udp(3), null, 'G'],
      ['Film', udp(4), null, 'G'],
      ['News', udp(2), null, 'G'],
    ],
    continues: [0, 1, 2, 3],
  },
  {
    what: 'an entry inserted before others of its name moves none of them',
    previous: [
      ['Sport', udp(1), 's', 'G'],
      ['Sport', udp(2), 's', 'G'],
    ],
    next: [
      ['Sport', udp(3), 's', 'G'],
      ['Sport', udp(1), 's', 'G'],
      ['Sport', udp(2), 's', 'G'],
    ],
    continues: [null, 0, 1],
  },
  {
    what: 'a channel that is missing comes back to its address from the one that had it meanwhile',
    previous: [
      ['B', udp(1), null, 'G'],
      ['A', udp(1), null, 'G', 'missing'],
    ],
    next: [['A', udp(1), null, 'G']],
    continues: [1],
  },
  {
    what: 'one that is present goes before a missing one at the same address',
    previous: [
      ['Old', udp(1), null, 'G', 'missing'],
      ['A', udp(1), null, 'G'],
    ],
    next: [['Renamed', udp(1), null, 'G']],
    continues: [1],
  },
  {
    what: 'a new one of a name does not continue a missing one while another of the name is present',
    previous: [
      ['Sport', udp(1), null, 'G'],
      ['Sport', udp(2), null, 'G', 'missing'],
    ],
    next: [
      ['Sport', udp(1), null, 'G'],
      ['Sport', udp(3), null, 'G'],
    ],
    continues: [0, null],
  },
  {
    what: 'numbers that signs part are not run together',
    previous: [
      ['Sport 1.1', udp(1), null, 'G'],
      ['Sport 11', udp(2), null, 'G'],
    ],
    next: [
      ['Sport 1.1', udp(2), null, 'G'],
      ['Sport 11', udp(1), null, 'G'],
    ],
    continues: [0, 1],
  },
  {
    what: 'one that was regrouped is found by its address and name, whatever new one has its name in its old group',
    previous: [['News', udp(1), null, 'UK']],
    next: [
      ['News', udp(2), null, 'UK'],
      ['News', udp(1), null, 'World'],
    ],
    continues: [null, 0],
  },
  {
    what: 'one that may have been renamed, or else have moved, is not found at all',
    previous: [['News', udp(1), null, 'UK']],
    next: [
      ['News', udp(2), null, 'UK'],
      ['UK: News HD', udp(1), null, 'UK'],
    ],
    continues: [null, null],
  },
  {
    what: 'one without a name that was shown as its address is still without one',
    previous: [
      ['udp://@239.1.0.1:5000', udp(1), null, 'G'],
      ['Unnamed', udp(2), null, 'G'],
    ],
    next: [
      ['', udp(2), null, 'H'],
      ['', udp(1), null, 'H'],
    ],
    continues: [1, 0],
  },
]);
